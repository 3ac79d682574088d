"""What people know before they look at the data: time order, and what can or cannot be a cause of what."""
