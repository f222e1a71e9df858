"""Analysis of accepted records: cost of cards, luck, review."""
