"""The recorded answer of every route for every role; see `test_recording.py`."""
