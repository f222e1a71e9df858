"""Webhooks of a club: subscriptions, signed messages and their delivery."""
