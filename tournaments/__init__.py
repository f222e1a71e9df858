"""The club: one Django app, which is also the project package."""
