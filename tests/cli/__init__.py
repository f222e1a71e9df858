"""The commands that read a tournament."""
