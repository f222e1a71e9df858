"""Template tags and filters that several features use."""
