"""The rows of the club: fields, constraints, what one row can say about itself, and QuerySets."""

from tournaments.models.bots import Bot
from tournaments.models.entries import Absence, ByeRequest, Entry, Penalty, Substitution
from tournaments.models.history import AuditCounter, AuditEvent
from tournaments.models.matches import Match
from tournaments.models.people import ApiToken, Club, Membership, Pair, Player
from tournaments.models.ratings import RatedMatch, Rating, RatingChange, RatingLedger
from tournaments.models.records import Hand, Record, Submission
from tournaments.models.restoring import RestorePoint
from tournaments.models.results import Dispute, Result
from tournaments.models.seasons import Season, SeasonEvent
from tournaments.models.tournaments import Round, Stage, Tournament

__all__ = [
    "Absence",
    "ApiToken",
    "AuditCounter",
    "AuditEvent",
    "Bot",
    "ByeRequest",
    "Club",
    "Dispute",
    "Entry",
    "Hand",
    "Match",
    "Membership",
    "Pair",
    "Penalty",
    "Player",
    "RatedMatch",
    "Rating",
    "RatingChange",
    "RatingLedger",
    "Record",
    "RestorePoint",
    "Result",
    "Round",
    "Season",
    "SeasonEvent",
    "Stage",
    "Submission",
    "Substitution",
    "Tournament",
]
