"""Standings: services."""
