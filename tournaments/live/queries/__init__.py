"""Live: queries."""
