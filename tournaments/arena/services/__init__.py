"""Arena: services."""
