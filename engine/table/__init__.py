"""The table that is analysed: typed columns that never change, and what is known about them."""
