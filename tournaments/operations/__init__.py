"""Operation: backups, readiness, metrics, keys."""
