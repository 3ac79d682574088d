"""Where the frozen window starts."""

import multiprocessing
import sys

if __name__ == "__main__":
    # Without this line a worker process of the frozen program would open a second window.
    multiprocessing.freeze_support()

    from clcd_gui.app import main

    sys.exit(main())
