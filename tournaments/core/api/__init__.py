"""Core: api."""
