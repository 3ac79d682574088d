"""Feature selectors that CLCD-FS is compared with: one a module, all behind one interface."""
