"""The rows of the club: fields, constraints, what one row can say about itself, and QuerySets."""

from tournaments.models.bots import Bot
from tournaments.models.history import AuditCounter, AuditEvent
from tournaments.models.matches import Dispute, Match, Result
from tournaments.models.people import ApiToken, Club, Membership, Pair, Player
from tournaments.models.records import Hand, Record, Submission
from tournaments.models.tournaments import Entry, Round, Stage, Tournament

__all__ = [
    "ApiToken",
    "AuditCounter",
    "AuditEvent",
    "Bot",
    "Club",
    "Dispute",
    "Entry",
    "Hand",
    "Match",
    "Membership",
    "Pair",
    "Player",
    "Record",
    "Result",
    "Round",
    "Stage",
    "Submission",
    "Tournament",
]
