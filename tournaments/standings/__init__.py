"""Standings, crosstables, seasons."""
