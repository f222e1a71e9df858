"""Results: templatetags."""
