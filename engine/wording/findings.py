"""What is said of findings wherever they are shown."""

from __future__ import annotations

NAME_HELP = "Its name, as in the table that was analysed."
NEIGHBOUR_HELP = "A direct cause (parent) or a direct effect (child) of the label."
SPOUSE_HELP = "Another cause of an effect that it shares with the label."
NOTHING_FOUND_FOR = "Nothing was found for {labels}."
