"""The search around labels in other processes and on other machines.

The order says what to search and holds the arranged table. A transport brings it to the workers of an
executor, once where it can, and brings groups of labels after it. A worker keeps its search between
groups. What it finds of a label comes back with the tests that screens and searches needed, by what was
screened or searched, so that what two workers both did counts once: as if all had shared their memory.
"""
