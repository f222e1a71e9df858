"""Standings, crosstables, the effect of another result, and seasons."""
