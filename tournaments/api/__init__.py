"""The API for programs: JSON under `/api/v1/`."""
