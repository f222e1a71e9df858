"""Commands of `manage.py`, and the process supervisor, broker and card drawing that they use."""
