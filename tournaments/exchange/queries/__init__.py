"""Exchange: queries."""
