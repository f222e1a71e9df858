"""Accounts: services."""
