"""What composes several features: the front page, the hand of the week, the search."""
