"""Which columns may tell of a person: for docs/operators/privacy.md, exports and erasures.

Every column that holds text, and every one that a package of Django's brings, is in it: a test
compares it with the models and with the document, so that a new column has to be thought about.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final


class PersonalDataKind(StrEnum):
    """The kind of personal data in a column, which decides what erasing a person does to it."""

    NAME = "name"
    """A person's name: replaced by the pseudonym."""
    TEXT = "text"
    """What people typed, or who did it: searched for names, which are replaced."""
    RECORD = "record"
    """A record and what follows from it: its names are replaced and it is replayed."""
    EVENT = "event"
    """The history: replaced by a redaction, under the commitment that stays."""
    ACCOUNT = "account"
    """A person's account and the rows that belong to it: deleted with the account."""
    SECRET = "secret"  # noqa: S105 - the name of a kind
    """A digest or seed of something secret, of nobody's person."""
    PLAIN = "plain"
    """Of the game or the machine, of no person."""


_NAME, _TEXT, _RECORD, _EVENT = (
    PersonalDataKind.NAME,
    PersonalDataKind.TEXT,
    PersonalDataKind.RECORD,
    PersonalDataKind.EVENT,
)
_ACCOUNT, _SECRET, _PLAIN = (
    PersonalDataKind.ACCOUNT,
    PersonalDataKind.SECRET,
    PersonalDataKind.PLAIN,
)

_WRITTEN: Final[Mapping[str, Mapping[PersonalDataKind, str]]] = {
    "Club": {_PLAIN: "name slug city"},
    "ClubPicture": {_PLAIN: "kind content digest"},
    "ClubProfile": {
        _TEXT: "address contact opening_hours news house_terms",
        _PLAIN: "colour",
    },
    "Membership": {_PLAIN: "role"},
    "Player": {_NAME: "code name folded earlier"},
    "Pair": {_NAME: "name folded", _PLAIN: "code"},
    "ApiToken": {_TEXT: "name", _SECRET: "key digest", _PLAIN: "scopes"},
    "NewAddress": {_ACCOUNT: "email"},
    "Mail": {_PLAIN: "kind origin language"},
    "SecondFactor": {_SECRET: "seed"},
    "RecoveryCode": {_SECRET: "digest"},
    "SignIn": {_ACCOUNT: "session_key agent address"},
    "Invitation": {_TEXT: "note", _SECRET: "key digest", _PLAIN: "role"},
    "Bot": {_TEXT: "name about", _PLAIN: "slug kind rulesets benched_for"},
    "BotVersion": {
        _TEXT: "made_by",
        _PLAIN: "language source command sha256 state report check_token check_fault",
    },
    "VersionComparison": {_PLAIN: "ruleset stop seed outcome fault lease_token"},
    "ComparedSet": {_PLAIN: "forfeits records"},
    "Tournament": {
        _TEXT: "announcement place prizes cancel_reason rules_text",
        _PLAIN: "name slug ruleset options stop unit state visibility",
    },
    "Stage": {
        _TEXT: "draws",
        _SECRET: "next_seed",
        _PLAIN: "name format settings entrants seed lots deal_seed commitment",
    },
    "Day": {_TEXT: "place note"},
    "Round": {_TEXT: "drawn", _PLAIN: "state seed commitment"},
    "Entry": {_NAME: "name folded", _TEXT: "origin apart", _SECRET: "code"},
    "Absence": {_TEXT: "reason made_by", _PLAIN: "kind"},
    "ByeRequest": {_TEXT: "made_by", _PLAIN: "kind"},
    "Substitution": {_TEXT: "reason made_by"},
    "Penalty": {_TEXT: "reason made_by revoked_by revocation"},
    "Arena": {_TEXT: "paused_by"},
    "Match": {
        _TEXT: "lineup whys",
        _PLAIN: "state bye boards versions lease_token day_proposed_by",
    },
    "Record": {
        _RECORD: "text sha256 verdict",
        _TEXT: "params submitter",
        _PLAIN: "said_by state source digest home_side code",
    },
    "Hand": {_PLAIN: "dealer trump deal play points winner"},
    "Submission": {_TEXT: "answer", _PLAIN: "scope key fingerprint lock"},
    "EvidenceDay": {_PLAIN: "who"},
    "HandAnalysis": {_PLAIN: "digest code answer"},
    "Analysis": {_PLAIN: "state code"},
    "AnalysedSeat": {_PLAIN: "seat role judgements"},
    "Review": {_TEXT: "note made_by"},
    "Attempt": {_PLAIN: "token worker outcome detail"},
    "BotForfeit": {_PLAIN: "seat code facts reply legal stderr play"},
    "BotLog": {_PLAIN: "place times stderr"},
    "BotTurn": {_PLAIN: "seat messages say failure facts evidence stderr"},
    "Schedule": {_TEXT: "made_by", _PLAIN: "zone days last_code last_facts"},
    "AuditCounter": {_PLAIN: "head"},
    "AuditEvent": {
        _EVENT: "actor subject facts salt",
        _PLAIN: "verb subject_type texts_digest digest",
    },
    "AuditCheckpoint": {_PLAIN: "digest before key signature"},
    "Result": {
        _TEXT: "confirmed_by reason made_by",
        _PLAIN: "depth winner forfeits decided hand_scores reported_for places",
    },
    "Dispute": {_TEXT: "reason opened_by reviewed_by ruling ruled_by", _PLAIN: "state"},
    "RatingLedger": {_PLAIN: "ruleset"},
    "RatedMatch": {_PLAIN: "sides"},
    "RestorePoint": {_TEXT: "snapshot made_by", _PLAIN: "verb"},
    "SignUp": {_TEXT: "condition", _PLAIN: "fee_per others_order"},
    "SignUpLink": {_TEXT: "origin", _SECRET: "digest"},
    "SignUpSource": {_TEXT: "origin"},
    "SignUpRequest": {
        _ACCOUNT: "contact",
        _TEXT: "pair_name reserve origin made_by left_why source_why",
        _PLAIN: "source_digest",
        _SECRET: "code form_key",
    },
    "SignUpNews": {_ACCOUNT: "email", _PLAIN: "language origin told seen"},
    "SignUpPerson": {_NAME: "name folded"},
    "PushSubscription": {
        _ACCOUNT: "endpoint p256dh auth",
        _SECRET: "code",
        _PLAIN: "language told",
    },
    "CashEntry": {_TEXT: "payee note made_by", _PLAIN: "kind"},
    "PrizeLine": {_TEXT: "text", _PLAIN: "per"},
    "Season": {_PLAIN: "name slug ruleset scale own_scale criteria by state"},
    "Webhook": {
        _TEXT: "description made_by",
        _SECRET: "salt mark old_salt",
        _PLAIN: "url types state why",
    },
    "Delivery": {_TEXT: "answer", _PLAIN: "kind type message state fault lease_token"},
    "Heartbeat": {_PLAIN: "name"},
    "LogEntry": {_TEXT: "object_repr change_message", _PLAIN: "object_id"},
    "Permission": {_PLAIN: "name codename"},
    "Group": {_PLAIN: "name"},
    "User": {_ACCOUNT: "password username first_name last_name email"},
    "ContentType": {_PLAIN: "app_label model"},
    "Session": {_ACCOUNT: "session_key session_data"},
    "AccessFailureLog": {
        _ACCOUNT: "user_agent ip_address username",
        _PLAIN: "http_accept path_info",
    },
    "AccessAttempt": {
        _ACCOUNT: "user_agent ip_address username get_data post_data",
        _PLAIN: "http_accept path_info",
    },
    "AccessLog": {
        _ACCOUNT: "user_agent ip_address username session_hash",
        _PLAIN: "http_accept path_info",
    },
}


COLUMNS: Final[Mapping[tuple[str, str], PersonalDataKind]] = {
    (model, name): holds
    for model, names_by_kind in _WRITTEN.items()
    for holds, names in names_by_kind.items()
    for name in names.split()
}
"""What each column holds, by model and name."""

_MATCH: Final = "match__round__stage__tournament__club"
_ENTRY: Final = "entry__tournament__club"

CLUB_OF: Final[Mapping[str, str]] = {
    "ClubProfile": "club",
    "Invitation": "club",
    "Bot": "club",
    "BotVersion": "bot__club",
    "Tournament": "club",
    "Stage": "tournament__club",
    "Day": "tournament__club",
    "Round": "stage__tournament__club",
    "Entry": "tournament__club",
    "Match": "round__stage__tournament__club",
    "Review": "club",
    "ApiToken": "club",
    "Schedule": "tournament__club",
    "RestorePoint": "tournament__club",
    "SignUp": "tournament__club",
    "SignUpLink": "signup__tournament__club",
    "SignUpSource": "signup__tournament__club",
    "SignUpRequest": "signup__tournament__club",
    "CashEntry": "tournament__club",
    "PrizeLine": "tournament__club season__club",
    "Webhook": "club",
    "Delivery": "webhook__club",
    **dict.fromkeys(("Absence", "ByeRequest", "Substitution", "Penalty"), _ENTRY),
    **dict.fromkeys(("Record", "Result", "Dispute"), _MATCH),
}
"""How rows with texts lead to their club, by one path or the other.

Rows of other models are searched in every club.
"""


def searched_columns() -> Mapping[str, tuple[str, ...]]:
    """Return the columns that are searched for names, by model."""
    columns: dict[str, tuple[str, ...]] = {}
    for (model, name), holds in COLUMNS.items():
        if holds is PersonalDataKind.TEXT:
            columns[model] = (*columns.get(model, ()), name)
    return columns
