"""The rows of the club: fields, constraints, properties of one row, and QuerySets."""

from tournaments.models.accounts import (
    Invitation,
    Mail,
    NewAddress,
    RecoveryCode,
    SecondFactor,
    SignIn,
)
from tournaments.models.analyses import (
    AnalysedHand,
    AnalysedSeat,
    Analysis,
    HandAnalysis,
    Review,
)
from tournaments.models.arena import Attempt, BotForfeit, BotLog, BotTurn, Schedule
from tournaments.models.bots import Arena, Bot, BotVersion
from tournaments.models.comparisons import ComparedSet, VersionComparison
from tournaments.models.days import Day
from tournaments.models.entries import Absence, ByeRequest, Entry, Penalty, Substitution
from tournaments.models.heartbeats import Heartbeat
from tournaments.models.history import AuditCheckpoint, AuditCounter, AuditEvent
from tournaments.models.matches import Match
from tournaments.models.people import (
    ApiToken,
    Club,
    ClubPicture,
    ClubProfile,
    Erasure,
    Membership,
    Pair,
    Player,
)
from tournaments.models.prizes import PrizeLine
from tournaments.models.push import PushSubscription
from tournaments.models.ratings import RatedMatch, Rating, RatingChange, RatingLedger
from tournaments.models.records import EvidenceDay, Hand, Record, Submission
from tournaments.models.results import Dispute, Result
from tournaments.models.seasons import Season, SeasonEvent
from tournaments.models.signup import (
    CashEntry,
    SignUp,
    SignUpLink,
    SignUpNews,
    SignUpPerson,
    SignUpRequest,
    SignUpSource,
)
from tournaments.models.tournaments import RestorePoint, Round, Stage, Tournament
from tournaments.models.webhooks import Delivery, Webhook

__all__ = [
    "Absence",
    "AnalysedHand",
    "AnalysedSeat",
    "Analysis",
    "ApiToken",
    "Arena",
    "Attempt",
    "AuditCheckpoint",
    "AuditCounter",
    "AuditEvent",
    "Bot",
    "BotForfeit",
    "BotLog",
    "BotTurn",
    "BotVersion",
    "ByeRequest",
    "CashEntry",
    "Club",
    "ClubPicture",
    "ClubProfile",
    "ComparedSet",
    "Day",
    "Delivery",
    "Dispute",
    "Entry",
    "Erasure",
    "EvidenceDay",
    "Hand",
    "HandAnalysis",
    "Heartbeat",
    "Invitation",
    "Mail",
    "Match",
    "Membership",
    "NewAddress",
    "Pair",
    "Penalty",
    "Player",
    "PrizeLine",
    "PushSubscription",
    "RatedMatch",
    "Rating",
    "RatingChange",
    "RatingLedger",
    "Record",
    "RecoveryCode",
    "RestorePoint",
    "Result",
    "Review",
    "Round",
    "Schedule",
    "Season",
    "SeasonEvent",
    "SecondFactor",
    "SignIn",
    "SignUp",
    "SignUpLink",
    "SignUpNews",
    "SignUpPerson",
    "SignUpRequest",
    "SignUpSource",
    "Stage",
    "Submission",
    "Substitution",
    "Tournament",
    "VersionComparison",
    "Webhook",
]
