"""Standings: queries."""
