"""Core: templatetags."""
