"""Framework helpers: errors, permissions, audit log, jobs, locks, logs; no feature is used here."""
