"""Programs of the project that are not installed with the service."""
