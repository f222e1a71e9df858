"""Queries of ratings: the history of rated matches, and the pages."""
