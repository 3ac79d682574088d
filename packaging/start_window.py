"""Where the frozen window starts."""

import multiprocessing
import sys

if __name__ == "__main__":
    # Without this line a worker process of the frozen program would open a second window.
    multiprocessing.freeze_support()

    if sys.argv[1:] == ["--read-table"]:
        from clcd_gui.run.reading_process import main as read_table

        sys.exit(read_table())

    from clcd_gui.app import main

    sys.exit(main())
