"""Results: api."""
