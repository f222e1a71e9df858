"""Pages of players, personal data and its erasure."""
