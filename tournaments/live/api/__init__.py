"""Live: api."""
