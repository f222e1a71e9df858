"""What is started by hand or by the runner: commands of `manage.py`, and what they share."""
