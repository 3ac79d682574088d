"""How often findings and directions are right on networks with numbers; start at ``__main__.py``."""
