"""Exchange: services."""
