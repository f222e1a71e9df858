"""Services of profiles."""
