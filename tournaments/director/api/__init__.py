"""Director: api."""
