"""Profiles: queries."""
