"""The panel that answers "why?"."""
