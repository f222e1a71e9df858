"""Views of the director: tournaments, entries, rounds, and the day of play."""
