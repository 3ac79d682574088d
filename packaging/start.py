"""Where the frozen program starts: as the window or as the terminal command, by the name it is called by."""

import multiprocessing
import os
import sys
from pathlib import PurePath

WINDOW = "clcd-gui"
LIBRARIES = "LD_LIBRARY_PATH"


def leave_other_programs_alone():
    """Let programs that are started from here, such as a browser, have the system's own libraries.

    PyInstaller points the loader to the libraries of the frozen program. The loader of this process has read
    that by now, so the variable can have the person's value again.
    """
    before = os.environ.get(f"{LIBRARIES}_ORIG")
    if before:
        os.environ[LIBRARIES] = before
    else:
        os.environ.pop(LIBRARIES, None)


def main():
    """Do what the name and the arguments ask for, and return the exit status."""
    if sys.argv[1:] == ["--helper-process"]:
        from engine.execution.helper_process import main as run
    elif PurePath(sys.argv[0]).stem == WINDOW:
        from clcd_gui.__main__ import main as run
    else:
        from engine.terminal import main as run
    return run()


if __name__ == "__main__":
    # Without this line a worker process of the frozen program would open a second window.
    multiprocessing.freeze_support()
    leave_other_programs_alone()
    sys.exit(main())
