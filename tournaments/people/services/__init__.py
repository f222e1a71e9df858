"""People: services."""
