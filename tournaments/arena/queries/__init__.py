"""Queries of the arena."""
