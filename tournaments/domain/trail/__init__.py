"""The history as a chain: what an event says, its digest, signatures over it, and their checking.

The form is that of docs/operators/audit.md; nothing here knows a database.
"""
