"""Webhooks: a club's addresses and the delivery of messages."""
