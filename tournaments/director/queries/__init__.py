"""Director: queries."""
