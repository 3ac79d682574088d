"""Where the frozen terminal command starts."""

import multiprocessing
import sys

if __name__ == "__main__":
    multiprocessing.freeze_support()

    from engine.terminal import main

    sys.exit(main())
