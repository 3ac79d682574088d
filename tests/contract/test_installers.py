"""What the installers are made of: each file is what its system reads, and all agree with the program."""

from __future__ import annotations

import argparse
import ast
import configparser
import plistlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pyarrow
import pytest
import yaml
from defusedxml.ElementTree import fromstring
from PIL import Image

from clcd_gui import system_libraries
from clcd_gui.__main__ import argument_parser
from clcd_gui.system_libraries import SYSTEM_LIBRARIES, SystemLibrary, obstacle
from engine.terminal.command_line import subcommand_parser, subcommands
from engine.version import __version__
from tests.contract.project_files import PROJECT, read

PACKAGING = PROJECT / "packaging"
FREEDESKTOP = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> object:
    """Imports a script of the packaging as the scripts import each other."""
    before = set(sys.modules)
    for folder in (PACKAGING / "linux", PACKAGING):
        monkeypatch.syspath_prepend(str(folder))

    def load(name: str) -> ModuleType:
        __import__(name)
        return sys.modules[name]

    yield load
    for name in set(sys.modules) - before:
        path = getattr(sys.modules[name], "__file__", None) or ""
        if Path(path).is_relative_to(PACKAGING):
            del sys.modules[name]


def desktop_entry() -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(read(Path("packaging/linux/clcd.desktop")))
    return parser["Desktop Entry"]


def test_the_menu_entry_opens_files_of_the_type_that_is_declared() -> None:
    entry = desktop_entry()
    (declared,) = fromstring(read(Path("packaging/linux/clcd.xml"))).iter(f"{FREEDESKTOP}mime-type")
    assert entry["Type"] == "Application" and entry["Terminal"] == "false"
    assert entry["Exec"].split() == ["clcd-gui", "%f"]
    assert entry["MimeType"] == f"{declared.get('type')};"
    (glob,) = declared.iter(f"{FREEDESKTOP}glob")
    assert glob.get("pattern") == "*.clcd"
    (icon,) = declared.iter(f"{FREEDESKTOP}icon")
    assert icon.get("name") == declared.get("type").replace("/", "-")


def test_icons_have_every_size(script: object, tmp_path: Path) -> None:
    icons, tree = script("icons"), script("installed_tree")
    tree.write_desktop_files(tmp_path)
    for size in icons.LINUX_SIZES:
        for name in (f"apps/{desktop_entry()['Icon']}", f"mimetypes/{tree.FILE_TYPE}"):
            with Image.open(tmp_path / f"icons/hicolor/{size}x{size}/{name}.png") as picture:
                assert picture.size == (size, size)
                assert len(picture.getcolors(size * size)) > 4
    icons.write_ico(icons.PROGRAM, tmp_path / "a.ico")
    icons.write_icns(icons.DOCUMENT, tmp_path / "a.icns")
    with Image.open(tmp_path / "a.ico") as icon:
        assert icon.info["sizes"] == {(size, size) for size in icons.WINDOWS_SIZES}
    with Image.open(tmp_path / "a.icns") as icon:
        assert {width * scale for width, _, scale in icon.info["sizes"]} == set(icons.MACOS_SIZES)


def test_manual_pages_hold_every_option(script: object) -> None:
    pages = script("manual").pages()
    parsers: dict[str, argparse.ArgumentParser] = {"clcd-gui.1": argument_parser()}
    parsers |= {
        f"clcd-{subcommand.name}.1": subcommand_parser(subcommand) for subcommand in subcommands().values()
    }
    assert set(pages) == {*parsers, "clcd.1"}
    for name, parser in parsers.items():
        for action in parser._actions:
            for option in action.option_strings:
                assert option.replace("-", "\\-") in pages[name]
    for text in pages.values():
        assert text.startswith(".TH ")
        requests = {line.split()[0] for line in text.splitlines() if line.startswith((".", "'"))}
        assert requests <= {".TH", ".SH", ".TP", ".B", ".BR", ".nf", ".fi"}


def test_the_program_names_the_libraries_that_the_readme_installs() -> None:
    line = next(line for line in read(Path("README.md")).splitlines() if line.startswith("apt-get update"))
    named = line.partition("--no-install-recommends ")[2].split()
    assert [library.package for library in SYSTEM_LIBRARIES] == [
        word for word in named if word.startswith("lib")
    ]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the libraries are those of Linux")
def test_a_missing_library_is_named_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    gone = SystemLibrary("libnowhere.so.7", "libnowhere7", system_libraries.Purpose.X11)
    monkeypatch.setattr(system_libraries, "SYSTEM_LIBRARIES", (gone,))
    message = obstacle({"DISPLAY": ":0"})
    assert "libnowhere.so.7" in message and "apt-get install libnowhere7" in message
    assert obstacle({"DISPLAY": ":0", "QT_QPA_PLATFORM": "offscreen"}) == ""
    monkeypatch.setattr(system_libraries, "SYSTEM_LIBRARIES", ())
    assert "no screen" in obstacle({})
    assert obstacle({"WAYLAND_DISPLAY": "wayland-0"}) == ""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the libraries are those of Linux")
def test_without_a_screen_the_window_says_so_in_a_line() -> None:
    code = "import sys; from clcd_gui.__main__ import main; sys.exit(main(['clcd-gui']))"
    started = subprocess.run(
        [sys.executable, "-c", code], env={"PYTHONPATH": str(PROJECT)}, capture_output=True, text=True
    )
    assert started.returncode == 1
    assert started.stderr.startswith("clcd-gui: ") and started.stderr.count("\n") == 1


def test_the_bundle_of_macos_declares_its_documents(script: object) -> None:
    properties = plistlib.loads(plistlib.dumps(script("macos.bundle").bundle_properties()))
    assert properties["CFBundleShortVersionString"] == __version__
    (document,), (declared,) = properties["CFBundleDocumentTypes"], properties["UTExportedTypeDeclarations"]
    assert document["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    assert declared["UTTypeTagSpecification"] == {"public.filename-extension": ["clcd"]}
    assert document["CFBundleTypeIconFile"] in read(Path("packaging/clcd.spec"))
    entitlements = plistlib.loads((PACKAGING / "macos/entitlements.plist").read_bytes())
    assert set(entitlements.values()) == {True}


@pytest.mark.parametrize("name", ["clcd", "clcd-gui"])
def test_the_version_resource_of_windows_is_what_is_read(name: str, script: object) -> None:
    tree = ast.parse(script("windows.version_resource").version_resource(name), mode="eval")
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    assert {call.func.id for call in calls} == {
        *("VSVersionInfo", "FixedFileInfo", "StringFileInfo", "StringTable"),
        *("StringStruct", "VarFileInfo", "VarStruct"),
    }
    words = {call.args[0].value: call.args[1].value for call in calls if call.func.id == "StringStruct"}
    assert words["ProductVersion"] == __version__ and words["OriginalFilename"] == f"{name}.exe"


def inno_sections() -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    for line in read(Path("packaging/windows/clcd.iss")).splitlines():
        if named := re.fullmatch(r"\[(\w+)\]", line):
            lines = sections.setdefault(named[1], [])
        elif sections and line.strip() and not line.startswith(";"):
            lines.append(line)
    return sections


def test_the_script_of_the_windows_installer_is_whole() -> None:
    sections = inno_sections()
    titles = {"Setup", "Languages", "Tasks", "Files", "InstallDelete", "Icons", "Registry", "Run", "Code"}
    assert set(sections) == titles
    setup = dict(line.split("=", 1) for line in sections["Setup"])
    assert (PACKAGING / "windows" / setup["LicenseFile"].replace("\\", "/")).is_file()
    assert setup["OutputBaseFilename"].startswith("clcd-{#Version}")
    entries = [line for name in titles - {"Setup", "Code"} for line in sections[name]]
    for line in entries:
        # Parameters are separated by semicolons outside quotes, each a name and a value.
        parameters = re.findall(r'(\w+): ("(?:[^"]|"")*"|[^;"]+)(?:; |$)', line)
        assert "; ".join(f"{name}: {value}" for name, value in parameters) == line
    tasks = {re.search(r'Name: "(\w+)"', line)[1] for line in sections["Tasks"]}
    assert {task for line in entries for task in re.findall(r"\bTasks: (\w+)", line)} == tasks
    code = "\n".join(sections["Code"])
    words = re.findall(r"\b(begin|end)\b", code)
    assert words.count("begin") == words.count("end") > 0
    functions = set(re.findall(r"Check: (\w+)", "\n".join(entries))) | {"EnvironmentKey"}
    assert functions <= set(re.findall(r"function (\w+)", code))


def test_the_workflow_builds_all_three_without_secrets() -> None:
    text = read(Path(".github/workflows/installers.yml"))
    assert "secrets" not in text.replace("a secret", "")
    jobs = yaml.safe_load(text)["jobs"]
    assert set(jobs) == {"linux", "windows", "macos"}
    for job in jobs.values():
        steps = job["steps"]
        assert all(("uses" in step) != ("run" in step) for step in steps)
        commands = "\n".join(step.get("run", "") for step in steps)
        named = re.findall(r"packaging/[\w/]+\.(?:py|iss)", commands)
        assert {"packaging/build.py", "packaging/smoke_test.py"} <= set(named)
        assert all((PROJECT / path).is_file() for path in named)


def test_the_bill_of_materials_names_a_part_with_its_licence(script: object) -> None:
    parts = script("parts")
    collected = str(Path(Image.__file__).resolve())
    by_name = {part.name.lower(): part for part in parts.parts_of([collected])}
    assert set(by_name) == {"python", "pillow"}
    assert by_name["pillow"].texts and by_name["pillow"].licence
    assert '"bomFormat": "CycloneDX"' in parts.bill_of_materials(by_name.values())


READ_PARQUET = """
import io, sys
for name in sys.argv[1:]:
    sys.modules[name] = None
import pyarrow, pyarrow.feather, pyarrow.parquet
table, file = pyarrow.table({"a": [1, 2]}), io.BytesIO()
pyarrow.parquet.write_table(table, file)
assert pyarrow.parquet.ParquetFile(io.BytesIO(file.getvalue())).read() == table
assert table.to_pandas()["a"].sum() == 3
"""


def test_parquet_is_read_without_the_parts_of_arrow_that_are_left_out(script: object) -> None:
    contents = script("contents")
    folder = Path(pyarrow.__file__).parent
    modules = [path for path in folder.glob("_*") if path.suffix in (".so", ".pyd")]
    left_out = [path for path in modules if not contents.is_wanted(f"pyarrow/{path.name}", str(path))]
    assert len(left_out) > 5
    names = [f"pyarrow.{path.name.partition('.')[0]}" for path in left_out]
    subprocess.run([sys.executable, "-c", READ_PARQUET, *names], check=True)
