"""Services of the arena."""
