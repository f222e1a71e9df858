"""Services of accounts."""
