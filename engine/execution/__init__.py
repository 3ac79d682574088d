"""Work on several threads, what is made once and remembered, and the cluster."""
