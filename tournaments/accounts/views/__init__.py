"""Accounts: views."""
