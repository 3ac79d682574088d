"""Conditional-independence tests behind one interface, and the compiled counting under them."""
