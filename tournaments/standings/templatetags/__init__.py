"""Template libraries of standings: criteria, seasons, lines of large tables."""
