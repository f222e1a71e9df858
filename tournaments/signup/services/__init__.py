"""Sign-up: services."""
