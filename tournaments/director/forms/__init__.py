"""Forms of the director: plan and settings of a tournament, and the day of play."""
