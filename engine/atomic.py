"""Files and folders that are written whole or not at all, and what a process keeps for a while.

A process holds what it works on. So what a killed one left is known and removed.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engine.errors import InvalidParameter, UnreadableFile, UnwritableFile
from engine.translation import _
from engine.wording.sentences import CHOOSE_ANOTHER_PLACE, COULD_NOT_BE_READ, NO_PATH, NOT_THERE
from engine.wording.setting_names import the_setting

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

_BEFORE_IT_IS_HELD = 2.0
_A_DAY = 86_400.0
_LONGEST_WAIT = 60.0
_SECONDS_BETWEEN_LOOKS = 0.01
_PREFIX = "clcd-work-"


def hold(path: Path) -> int | None:
    """Keep a file or folder for this process until :func:`let_go` or its end; None where that cannot be."""
    if fcntl is None:
        return None
    descriptor = None
    try:
        descriptor = os.open(path, os.O_RDONLY)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        let_go(descriptor)
        return None
    return descriptor


def let_go(held: int | None) -> None:
    """Keep something no longer."""
    if held is not None:
        os.close(held)


def is_abandoned(path: Path) -> bool:
    """Tell whether nobody holds something any more; where nobody can hold it, when it is a day old.

    >>> with TemporaryFolder() as folder:
    ...     is_abandoned(folder)
    False
    """
    try:
        age = time.time() - path.stat().st_mtime
    except OSError:
        return False
    if fcntl is None:
        return age > _A_DAY
    held = hold(path) if age > _BEFORE_IT_IS_HELD else None
    let_go(held)
    return held is not None


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Keep other processes from the same in a folder while the block runs; wait a minute for one at most.

    Where nobody can hold a folder, nobody is waited for. A folder that this process holds itself, as a
    :class:`TemporaryFolder` does its own, is waited for in vain.

    >>> with tempfile.TemporaryDirectory() as folder, one_at_a_time(Path(folder)):
    ...     Path(folder, "a").touch()
    """
    descriptor = None
    deadline = time.monotonic() + _LONGEST_WAIT
    try:
        with suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            while fcntl is not None:
                try:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    if time.monotonic() > deadline:
                        break
                    time.sleep(_SECONDS_BETWEEN_LOOKS)
        yield
    finally:
        let_go(descriptor)


def no_temporary_file(error: BaseException) -> UnwritableFile:
    """Return what is said where the system refuses temporary files.

    >>> "TMPDIR" in str(no_temporary_file(OSError(28, "No space left on device")))
    True
    """
    try:
        place = _("folder '{folder}'", folder=tempfile.gettempdir())
    except FileNotFoundError:
        return UnwritableFile(
            _("no folder for temporary files can be written to."),
            remedy=_("Free some space, or set TMPDIR to a folder that can be written to."),
        )
    if isinstance(error, PermissionError):
        return UnwritableFile(
            _("CLCD may not write temporary files."),
            place=place,
            remedy=_("Set TMPDIR to a folder that can be written to."),
        )
    return UnwritableFile(
        _("there is no room left for temporary files."),
        place=place,
        remedy=_("Free some space there, or set TMPDIR to a folder that has some."),
    )


class TemporaryFolder:
    """A folder among the temporary files for a block; who makes one removes those of killed processes."""

    def __init__(self) -> None:
        try:
            _remove_abandoned(Path(tempfile.gettempdir()))
            self.path = Path(tempfile.mkdtemp(prefix=_PREFIX))
        except OSError as error:
            raise no_temporary_file(error) from error
        self._held = hold(self.path)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove it, with all that is in it."""
        # Where a file that is mapped cannot be removed, the system clears it away with others.
        shutil.rmtree(self.path, ignore_errors=True)
        let_go(self._held)
        self._held = None


def _remove_abandoned(among: Path) -> None:
    if fcntl is None:
        # How old a folder is does not tell whether somebody still works with it.
        return
    with suppress(OSError), os.scandir(among) as entries:
        for entry in entries:
            # A link, or what another person made, is nothing to follow.
            if (
                entry.name.startswith(_PREFIX)
                and entry.is_dir(follow_symlinks=False)
                and entry.stat(follow_symlinks=False).st_uid == os.getuid()
                and is_abandoned(Path(entry.path))
            ):
                shutil.rmtree(entry.path, ignore_errors=True)


_DRAFT, _NEW, _REPLACED = ".clcd-draft-", "drafts", "replaced"
_MODE_BEFORE_UMASK = 0o666
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_CHOOSE_ANOTHER = CHOOSE_ANOTHER_PLACE


@contextmanager
def opening(path: str | os.PathLike[str], place: str, if_absent: str, otherwise: str) -> Iterator[None]:
    """Raise UnreadableFile, with one of two remedies, where a file is not there or cannot be read."""
    try:
        check_openable(path)
        yield
    except FileNotFoundError as error:
        raise UnreadableFile(_(NOT_THERE), place=place, remedy=if_absent) from error
    except OSError as error:
        reason = _(COULD_NOT_BE_READ, reason=error.strerror or str(error))
        raise UnreadableFile(reason, place=place, remedy=otherwise) from error


@contextmanager
def atomic_path(target: str | os.PathLike[str]) -> Iterator[Path]:
    """Write a file so that it appears whole under its name, or not at all.

    The path is of an empty file beside the target; it takes the target's place and permissions when the block
    ends.
    """
    goal = real_path(target)
    _check_replaceable(goal, Path(target))
    _remove_abandoned_once(goal.parent)
    draft: Path | None = None
    held: int | None = None
    try:
        draft = _create_beside(goal)
        held = hold(draft)
        yield draft
        if goal.exists():
            draft.chmod(stat.S_IMODE(goal.stat().st_mode))
        _flush(draft)
        draft.replace(goal)
        _flush_folder(goal.parent)
    except OSError as error:
        raise _unwritable(error, Path(target)) from error
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)
        let_go(held)


def write_text(target: str | os.PathLike[str], text: str) -> None:
    r"""Write a text file whole, in UTF-8 with ``\n`` at the ends of lines; surrogates are escaped."""
    with atomic_path(target) as path:
        path.write_bytes(text.encode("utf-8", errors="backslashreplace"))


@contextmanager
def atomic_folder(folder: str | os.PathLike[str], without: Iterable[str] = ()) -> Iterator[Path]:
    """Write several files into a folder so that all of them appear, or none; remove those in `without`.

    The path is of a folder for the drafts, which are moved to `folder` when the block ends.
    """
    goal = real_path(folder)
    check_folder(goal)
    new_folders = _missing_folders(goal)
    _remove_abandoned_once(goal)
    hidden = goal / f"{_DRAFT}{secrets.token_hex(8)}"
    finished = False
    held: int | None = None
    try:
        goal.mkdir(parents=True, exist_ok=True)
        drafts, replaced = hidden / _NEW, hidden / _REPLACED
        for place in (hidden, drafts, replaced):
            place.mkdir()
        held = hold(hidden)
        yield drafts
        # Of two processes that write here at once, the files of one would else be mixed with the other's.
        with one_at_a_time(goal):
            # Else whoever comes next would put back, over these files, what a killed one had taken away.
            _put_back_all(goal)
            _move_all(drafts, goal, replaced, without)
        finished = True
    except OSError as error:
        raise _unwritable(error, Path(folder)) from error
    except UnwritableFile as error:
        if hidden.name not in error.place:
            raise
        # The place of a draft tells nobody anything.
        raise UnwritableFile(error.problem, place=f"'{folder}'", remedy=error.remedy) from error
    finally:
        shutil.rmtree(hidden, ignore_errors=True)
        let_go(held)
        if not finished:
            _remove_empty(new_folders)


@contextmanager
def folder_for(folder: str | os.PathLike[str], mode: int = 0o777) -> Iterator[Path]:
    """Make a folder, with those above it, and remove those again that stay empty when the block fails."""
    goal = real_path(folder)
    new_folders = _missing_folders(goal)
    try:
        goal.mkdir(mode, parents=True, exist_ok=True)
        yield goal
    except BaseException as error:
        _remove_empty(new_folders)
        if isinstance(error, OSError):
            raise _unwritable(error, Path(folder)) from error
        raise


@contextmanager
def new_folder(folder: str | os.PathLike[str]) -> Iterator[Path]:
    """Make a folder that appears whole, with all that the block writes into it, or not at all."""
    goal = real_path(folder)
    _remove_abandoned_once(goal.parent)
    draft = goal.with_name(f"{_DRAFT}{secrets.token_hex(8)}")
    held: int | None = None
    with folder_for(goal.parent):
        try:
            draft.mkdir()
            held = hold(draft)
            yield draft
            try:
                draft.rename(goal)
            except OSError:
                # Another process may have been quicker, and its folder is as good.
                if not goal.is_dir():
                    raise
        finally:
            shutil.rmtree(draft, ignore_errors=True)
            let_go(held)


def remove_abandoned(folder: str | os.PathLike[str]) -> int:
    """Remove what writers left in a folder whose process was killed; what is being written now stays.

    Of a writer of several files that was killed while they took their places, the files that were there
    before are put back, except where somebody has written a newer one since.
    """
    abandoned = [draft for draft in _drafts_in(folder) if is_abandoned(draft)]
    if any(_has_taken_files(draft) for draft in abandoned):
        with one_at_a_time(Path(folder)):
            _put_back_all(folder)
    for draft in abandoned:
        if draft.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            with suppress(OSError):
                draft.unlink()
    return len(abandoned)


def _drafts_in(folder: str | os.PathLike[str]) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.name.startswith(_DRAFT)]
    except OSError:
        return []


_looked_through: set[Path] = set()


def _remove_abandoned_once(folder: Path) -> None:
    if folder not in _looked_through:
        _looked_through.add(folder)
        remove_abandoned(folder)


def _has_taken_files(hidden: Path) -> bool:
    with suppress(OSError):
        return any((hidden / _REPLACED).iterdir())
    return False


def _put_back_all(folder: str | os.PathLike[str]) -> None:
    """Put back what killed writers had taken away; whoever calls this has the folder for itself."""
    for hidden in _drafts_in(folder):
        if _has_taken_files(hidden):
            # However young it is: files are taken away only by who has the folder for itself, and holds this.
            held = hold(hidden)
            if held is not None or is_abandoned(hidden):
                _put_back(hidden)
                shutil.rmtree(hidden, ignore_errors=True)
            let_go(held)


def _put_back(hidden: Path) -> None:
    """Put back files that were taken out of the way, unless all new ones had taken their places."""
    with suppress(OSError):
        if any((hidden / _NEW).iterdir()):
            last_move = (hidden / _NEW).stat().st_mtime_ns
            for path in (hidden / _REPLACED).iterdir():
                target = hidden.parent / path.name
                if not target.exists() or target.stat().st_mtime_ns <= last_move:
                    path.replace(target)


def is_pipe_or_device(path: Path) -> bool:
    """Tell whether what lies there is neither a file nor a folder; it must be there."""
    mode = path.stat().st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def check_openable(path: str | os.PathLike[str]) -> None:
    r"""Raise unless a file is there to be read: whoever opens a pipe or a device may wait for ever.

    >>> check_openable("a\0b")
    Traceback (most recent call last):
    FileNotFoundError: [Errno 2] No such file or directory: 'a\x00b'
    """
    try:
        waits = is_pipe_or_device(Path(path))
    except ValueError:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path)) from None
    if waits:
        raise OSError(errno.ENXIO, _("this is a pipe or a device, not a file"), str(path))


def real_path(target: str | os.PathLike[str]) -> Path:
    """Return where a path leads."""
    try:
        return Path(os.path.realpath(target))
    except TypeError:
        raise InvalidParameter(
            _(NO_PATH, kind=type(target).__name__),
            place=the_setting("path"),
            remedy=_("Give the name of a file."),
        ) from None
    except ValueError:
        # The character 0 in it, which no file can have in its name.
        raise UnwritableFile(
            _("a file cannot have this name."), place=repr(str(target)), remedy=_("Choose another name.")
        ) from None


def check_folder(folder: str | os.PathLike[str]) -> None:
    """Raise unless files can be written to `folder`, which need not exist; nothing is made."""
    goal = real_path(folder)
    try:
        existing = next(ancestor for ancestor in (goal, *goal.parents) if ancestor.exists())
    except OSError as error:
        raise _unwritable(error, Path(folder)) from error
    if not existing.is_dir():
        raise UnwritableFile(
            _("a file has the name of the folder."), place=f"'{existing}'", remedy=_(_CHOOSE_ANOTHER)
        )
    if not os.access(existing, os.W_OK | os.X_OK):
        raise UnwritableFile(
            _("you do not have the right to write to this folder."),
            place=f"'{existing}'",
            remedy=_(_CHOOSE_ANOTHER),
        )


def _check_replaceable(goal: Path, target: Path) -> None:
    try:
        mode = goal.stat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise _unwritable(error, target) from error
    place = f"'{target}'"
    if stat.S_ISDIR(mode):
        raise UnwritableFile(_("a folder has this name."), place=place, remedy=_("Choose another name."))
    if not stat.S_ISREG(mode):
        raise UnwritableFile(
            _("this is a device, not a file."), place=place, remedy=_("Choose another name.")
        )
    if not os.access(goal, os.W_OK):
        raise UnwritableFile(_("the file is read-only."), place=place, remedy=_("Choose another name."))


def _create_beside(goal: Path) -> Path:
    """Make an empty file with the permissions that a new file has here (mkstemp would make it private)."""
    endings = "".join(goal.suffixes[-2:])[-32:]
    draft = goal.with_name(f"{_DRAFT}{secrets.token_hex(8)}{endings}")
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _MODE_BEFORE_UMASK))
    return draft


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def _flush_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where the system can do that for folders."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _move_all(drafts: Path, goal: Path, replaced: Path, without: Iterable[str] = ()) -> None:
    """Move every draft to its place; when one cannot be moved, put all back as they were."""
    paths = sorted(drafts.iterdir())
    for path in paths:
        _check_replaceable(goal / path.name, goal / path.name)
    for path in paths:
        _flush(path)
    moved: list[str] = []
    names = {path.name for path in paths}
    try:
        # First, so that who is killed after the last move leaves nothing that contradicts the new files.
        for name in without:
            if (goal / name).is_file() and name not in names:
                (goal / name).replace(replaced / name)
                moved.append(name)
        for path in paths:
            target = goal / path.name
            if target.exists():
                path.chmod(stat.S_IMODE(target.stat().st_mode))
                target.replace(replaced / path.name)
            moved.append(path.name)
            path.replace(target)
    except BaseException:
        for name in moved:
            (goal / name).unlink(missing_ok=True)
            if (replaced / name).exists():
                (replaced / name).replace(goal / name)
        raise
    _flush_folder(goal)


def _missing_folders(folder: Path) -> list[Path]:
    return [ancestor for ancestor in (folder, *folder.parents) if not ancestor.exists()]


def _remove_empty(folders: list[Path]) -> None:
    for folder in folders:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _unwritable(error: OSError, target: Path) -> UnwritableFile:
    place = f"'{target}'"
    if error.errno == errno.EFBIG:
        return UnwritableFile(
            _("the system does not allow files of this size."),
            place=place,
            remedy=_("Choose another place, or raise the limit (ulimit -f)."),
        )
    if error.errno in _NO_ROOM:
        return UnwritableFile(
            _("there is no room left to write it."),
            place=place,
            remedy=_("Free some space or choose another place."),
        )
    if isinstance(error, FileNotFoundError):
        return UnwritableFile(
            _("its folder does not exist."), place=place, remedy=_("Make the folder or choose another place.")
        )
    if isinstance(error, NotADirectoryError | FileExistsError):
        return UnwritableFile(_("a file has the name of its folder."), place=place, remedy=_(_CHOOSE_ANOTHER))
    if isinstance(error, PermissionError):
        return UnwritableFile(
            _("you do not have the right to write it."),
            place=place,
            remedy=_("Close the program that has it open, or choose another place."),
        )
    if error.errno == errno.ENAMETOOLONG:
        return UnwritableFile(_("the name is too long."), place=place, remedy=_("Choose a shorter name."))
    if error.errno == errno.EROFS:
        return UnwritableFile(_("the disk is read-only."), place=place, remedy=_(_CHOOSE_ANOTHER))
    reason = error.strerror or str(error)
    return UnwritableFile(
        _("it cannot be written ({reason}).", reason=reason), place=place, remedy=_(_CHOOSE_ANOTHER)
    )
