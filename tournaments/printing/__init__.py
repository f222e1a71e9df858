"""Tournament papers as PDF."""
