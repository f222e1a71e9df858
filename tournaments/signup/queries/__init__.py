"""Sign-up: queries."""
