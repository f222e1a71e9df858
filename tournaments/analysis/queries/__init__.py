"""Analysis: queries."""
