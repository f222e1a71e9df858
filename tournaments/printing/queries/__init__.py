"""Rows of the papers that `tournaments.sheets` draws, and the page that lists them."""
