"""Webhooks: services."""
