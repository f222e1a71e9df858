"""Queries of the director: entries, rounds, drafts, clocks, deals, and which verbs are open."""
