"""Queries of analysis: hands and matches, figures of players, review queue, luck."""
