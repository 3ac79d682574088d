"""Selecting features that serve many labels at once, with reasons: CLCD-FS, and what it is compared with."""
