"""Signed checkpoints of a club's history."""

from rest_framework import serializers

from tournaments.core.api.serializers import Count


class Checkpoint(serializers.Serializer[object]):
    """That at a time the club's event of this number was the last and had this digest."""

    club = Count(help_text="The club's key: the same in all its events.")
    number = Count(help_text="Counts the club's checkpoints from 1.")
    sequence = Count(help_text="The number of the event.")
    digest = serializers.CharField(help_text="Of the event, 64 hex digits.")
    at = serializers.CharField(help_text="In UTC with microseconds, as it is signed.")
    before = serializers.CharField(help_text="The digest of the checkpoint before; zeros at first.")
    key = serializers.CharField(help_text="The public key (Ed25519), 64 hex digits.")
    signature = serializers.CharField(help_text="128 hex digits.")


class Checkpoints(serializers.Serializer[object]):
    """A page of checkpoints, the earliest first."""

    results = Checkpoint(many=True)
    next = serializers.URLField(allow_null=True, help_text="The next page, if there is one.")
