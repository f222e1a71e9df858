"""Arena: api."""
