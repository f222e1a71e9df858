"""What follows events: feeds, event stream, screens, front page."""
