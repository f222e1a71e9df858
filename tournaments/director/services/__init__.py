"""Director: services."""
