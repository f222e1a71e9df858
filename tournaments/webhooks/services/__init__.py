"""Services of webhooks."""
