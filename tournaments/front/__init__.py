"""What composes several features: the front page, a club, a tournament."""
