"""Starts the window by ``python -m clcd_gui``."""

import sys

from clcd_gui.app import main

sys.exit(main())
