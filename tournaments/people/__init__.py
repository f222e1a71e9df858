"""Clubs, players, pairs and bots."""
