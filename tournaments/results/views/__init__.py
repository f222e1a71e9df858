"""Results: views."""
