"""Profiles: services."""
