"""Standings: templatetags."""
