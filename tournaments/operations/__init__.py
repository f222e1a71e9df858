"""Operation of the service: backups, readiness, metrics, change of keys."""
