"""One module a page or panel."""
