"""Accounts, sign-in, second factor, invitations, API tokens."""
