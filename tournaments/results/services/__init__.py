"""Results: services."""
