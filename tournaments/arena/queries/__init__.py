"""Arena: queries."""
