"""Ratings of players and bots from validated results."""
