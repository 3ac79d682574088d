"""Try the package of Debian, and the README's two commands, on systems that have nothing: as root,

``python packaging/linux/bare_trial.py FOLDER dist/clcd_VERSION_amd64.deb``

A Debian 12 of the fewest packages is made in the folder (``debootstrap``), and each trial gets a copy of it.
The package is installed, the menu entry's command opens its window on a screen in memory (``Xvfb``), a
project is opened as by a double click, a result and a PDF are made, and the package is purged: nothing of it
may be left. In a second copy the README's commands install the program from the sources.
"""

from __future__ import annotations

import argparse
import configparser
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT))

import engine  # noqa: E402

CHROOT = shutil.which("chroot") or "/usr/sbin/chroot"
SUITE = "bookworm"
PERSON = "person"
HOME = f"/home/{PERSON}"
SCREEN = 87
LONGEST_SECONDS = 120
# What the package manager and its helpers write whenever anything comes or goes.
OF_THE_SYSTEM = ("/var/lib/apt/", "/var/lib/dpkg/", "/var/cache/", "/var/log/", "/etc/ld.so.cache", "/tmp/")
# By these a person says where pip finds packages, and whom it trusts.
OF_PIP = ("PIP_", "REQUESTS_CA_BUNDLE")
SAMPLE = "hospital-survey"


class BareTrialError(Exception):
    """The system does not do what it must."""


def say(words: str) -> None:
    """Write a line, at once."""
    print(words, flush=True)


class BareSystem:
    """A system in a folder.

    Parameters
    ----------
    root : Path
        The folder.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def run(self, command: str, *, by: str = "root", **variables: str) -> str:
        """Run a line of the shell in it, and return what it says."""
        environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8"}
        environment |= {"DEBIAN_FRONTEND": "noninteractive", "HOME": HOME if by == PERSON else "/root"}
        environment |= {name: value for name, value in os.environ.items() if name.startswith(OF_PIP)}
        place = HOME if by == PERSON else "/"
        started = time.monotonic()
        done = subprocess.run(
            [CHROOT, f"--userspec={by}", self.root, "/bin/sh", "-c", f"cd {place} && {command}"],
            env=environment | variables,
            capture_output=True,
            text=True,
            check=False,
        )
        print(
            f"{by}: {command[:150]}: exit {done.returncode}, {time.monotonic() - started:.1f} s", flush=True
        )
        if done.returncode:
            raise BareTrialError(f"{command}:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return done.stdout

    def start(self, command: str, **variables: str) -> subprocess.Popen[bytes]:
        """Start a program as the person."""
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": HOME} | variables
        words = [CHROOT, f"--userspec={PERSON}", self.root, "/bin/sh", "-c", f"cd {HOME} && exec {command}"]
        return subprocess.Popen(
            words,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def files(self) -> set[str]:
        """Name all files, but those of the kernel and of the person."""
        found = set()
        for folder, folders, files in os.walk(self.root):
            place = folder.removeprefix(str(self.root)) or "/"
            if place == "/":
                folders[:] = [name for name in folders if name not in ("proc", "sys", "dev", "run", "home")]
            found.update(f"{place.rstrip('/')}/{name}" for name in (*files, *folders))
        return found


@contextmanager
def bare_system(folder: Path, name: str, bound: Sequence[Path]) -> Iterator[BareSystem]:
    """Give a copy of the bare system, with the kernel's own folders and those that are asked for."""
    pristine, root = folder / "pristine", folder / name
    if not pristine.exists():
        made = folder / "making"
        subprocess.run(["debootstrap", "--variant=minbase", SUITE, made], check=True)
        made.rename(pristine)
    if root.exists():
        raise BareTrialError(f"{root} is there from an earlier trial: remove it first.")
    subprocess.run(["cp", "-a", "--reflink=auto", pristine, root], check=True)
    shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
    inside = [Path("/proc"), Path("/dev"), *bound]
    mounted = []
    try:
        for place in inside:
            target = root / place.relative_to("/")
            target.mkdir(parents=True, exist_ok=True)
            subprocess.run(["mount", "--bind", place, target], check=True)
            mounted.append(target)
            if place in bound:
                # Packages write where they like: nothing of this system may change.
                subprocess.run(["mount", "-o", "remount,bind,ro", target], check=True)
        system = BareSystem(root)
        system.run(f"useradd --create-home {PERSON}")
        system.run("apt-get update -qq")
        yield system
    finally:
        for target in reversed(mounted):
            subprocess.run(["umount", target], check=True)


@contextmanager
def screen() -> Iterator[str]:
    """Give the name of a screen in memory."""
    command = [
        "Xvfb",
        f":{SCREEN}",
        "-screen",
        "0",
        "1280x800x24",
        "-ac",
        "-listen",
        "tcp",
        "-nolisten",
        "local",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    name = f"127.0.0.1:{SCREEN}"
    try:
        wait_for("the screen", lambda: asked_of_screen(name) is not None)
        yield name
    finally:
        process.terminate()
        process.wait()


def asked_of_screen(name: str) -> str | None:
    """Return the tree of windows; None while there is no screen."""
    done = subprocess.run(
        ["xwininfo", "-display", name, "-root", "-tree"], capture_output=True, text=True, check=False
    )
    return done.stdout if done.returncode == 0 else None


def wait_for(what: str, is_there: Callable[[], bool]) -> float:
    """Wait until something is there, and return how many seconds that took."""
    started = time.monotonic()
    while not is_there():
        if time.monotonic() - started > LONGEST_SECONDS:
            raise BareTrialError(f"{what} did not come within {LONGEST_SECONDS} seconds.")
        time.sleep(0.05)
    return time.monotonic() - started


def open_window(system: BareSystem, command: str, title: str, display: str) -> None:
    """Start a command, wait for the window that has a title, and end it as its close button does not."""
    process = system.start(command, DISPLAY=display)
    seconds = wait_for(
        f"a window with {title} in its title", lambda: title in (asked_of_screen(display) or "")
    )
    print(f"{command}: a window named {title} after {seconds:.1f} s", flush=True)
    for each in frozen_processes(system.root):
        os.kill(each, 15)
    process.wait(LONGEST_SECONDS)
    wait_for("the end of the window", lambda: title not in (asked_of_screen(display) or ""))


def frozen_processes(root: Path) -> list[int]:
    """Return the processes whose program lies in the bare system and is CLCD."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            program = (each / "exe").readlink()
        except OSError:
            continue
        if program.is_relative_to(root) and program.name.startswith("clcd"):
            found.append(int(each.name))
    return found


def try_program(system: BareSystem, examples: str, command: str = "") -> None:
    """Make a result and a PDF by terminal and window; with `command` before the names of both."""
    table = f"{examples}/{SAMPLE}.csv --labels-file {examples}/{SAMPLE}.xml"
    system.run(f"{command}clcd discover {table} --out found --also report-pdf", by=PERSON)
    found = system.root / HOME.lstrip("/") / "found"
    if not json.loads((found / "result.json").read_text(encoding="utf-8"))["common"]:
        raise BareTrialError("Nothing was found in the example.")
    if not (found / "report.pdf").read_bytes().startswith(b"%PDF"):
        raise BareTrialError("The report is no PDF.")
    system.run(f"{command}clcd-gui --smoke-test seen", by=PERSON, QT_QPA_PLATFORM="offscreen")
    times = json.loads((system.root / HOME.lstrip("/") / "seen/times.json").read_text(encoding="utf-8"))
    print(
        f"first result {times['opening_seconds'] + times['running_seconds']:.1f} s after the click",
        flush=True,
    )


def try_package(folder: Path, package: Path) -> None:
    """Install the package, use the program, and purge it."""
    with bare_system(folder, "package", ()) as system, screen() as display:
        if list(system.root.glob("usr/bin/python3*")):
            raise BareTrialError("The bare system has Python.")
        before = system.files()
        shutil.copyfile(package, system.root / "tmp" / package.name)
        system.run(f"apt-get install -y -qq /tmp/{package.name}")
        say(f"{len(system.files() - before)} files came")
        entry = configparser.ConfigParser(interpolation=None)
        entry.read(system.root / "usr/share/applications/clcd.desktop", encoding="utf-8")
        started = entry["Desktop Entry"]["Exec"].replace(" %f", "")
        open_window(system, started, "CLCD", display)
        project = system.root / HOME.lstrip("/") / "study.clcd"
        examples = PROJECT / "resources/examples"
        dataset = engine.read_dataset(examples / f"{SAMPLE}.csv", labels=examples / f"{SAMPLE}.xml")
        engine.save_project(project, engine.Project(dataset=dataset))
        project.chmod(0o644)
        kind = system.run("xdg-mime query default application/x-clcd", by=PERSON).strip()
        if kind != "clcd.desktop":
            raise BareTrialError(f"Projects are opened by {kind or 'nothing'}.")
        open_window(system, "xdg-open study.clcd", "study", display)
        try_program(system, "/usr/lib/clcd/_internal/resources/examples")
        system.run("apt-get purge -y -qq --auto-remove clcd")
        left = sorted(each for each in system.files() - before if not each.startswith(OF_THE_SYSTEM))
        ours = [each for each in left if "clcd" in each]
        say(f"left behind: {ours} of the package, {len(left)} of others that apt keeps")
        if ours:
            raise BareTrialError("Something of the program is left.")


def readme_commands() -> list[str]:
    """Return the two commands of the README."""
    lines = (PROJECT / "README.md").read_text(encoding="utf-8").splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith("apt-get update"))
    return lines[first : first + 2]


def try_readme(folder: Path, bound: Sequence[Path]) -> None:
    """Install from the sources by the README's two commands, and use the program."""
    packages, install = readme_commands()
    with bare_system(folder, "sources", bound) as system, tempfile.TemporaryDirectory() as scratch:
        packed = Path(scratch, "sources.tar")
        subprocess.run(["git", "-C", PROJECT, "archive", "-o", packed, "HEAD"], check=True)
        place = system.root / HOME.lstrip("/") / "clcd"
        place.mkdir()
        subprocess.run(["tar", "-xf", packed, "-C", place], check=True)
        system.run(f"chown -R {PERSON}: {HOME}/clcd")
        system.run(packages)
        system.run(f"cd clcd && {install}", by=PERSON)
        try_program(system, "clcd/resources/examples", "clcd/.venv/bin/")


def main() -> None:
    """Try both ways."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="Where the systems are made.")
    parser.add_argument(
        "package", type=Path, nargs="?", help="Without it the README's commands alone are tried."
    )
    parser.add_argument(
        "--bind", type=Path, action="append", default=[], help="A folder that both shall see."
    )
    parser.add_argument("--without-readme", action="store_true", help="Try the package alone.")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    if asked.package is not None:
        try_package(asked.folder.resolve(), asked.package.resolve())
    if not asked.without_readme:
        try_readme(asked.folder.resolve(), asked.bind)
    print("The bare systems work.")


if __name__ == "__main__":
    main()
