"""Results: queries."""
