"""Director: views."""
