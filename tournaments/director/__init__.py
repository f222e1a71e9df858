"""Directing a tournament: planning, entries, draws, rounds, the day."""
