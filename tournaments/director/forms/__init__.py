"""Director: forms."""
