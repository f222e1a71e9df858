"""Standings: views."""
