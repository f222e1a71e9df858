"""Queries of profiles."""
