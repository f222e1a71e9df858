"""Results: forms."""
