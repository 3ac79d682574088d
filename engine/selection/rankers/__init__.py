"""Feature selectors that CLCD-FS is compared with, all behind one interface."""
