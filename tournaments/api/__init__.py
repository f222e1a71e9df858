"""The door for programs: JSON under `/api/v1/`."""
