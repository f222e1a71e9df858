"""Services of operation."""
