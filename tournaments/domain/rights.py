"""The table of permissions: who may do which verb to which noun.

See `tournaments.core.permissions`.

A row says who may do something in person, and which scope lets their programs do it too. A program
never does more than its user, and only in its own club.
"""

from typing import Final, NamedTuple

EVERYBODY: Final = "everybody"
CODE: Final = "code"
PLAYER: Final = "player"
ARBITER: Final = "arbiter"
ORGANISER: Final = "organiser"
STAFF: Final = "staff"

ROLES: Final = {
    EVERYBODY: "all visitors, signed in or not",
    CODE: "a visitor with the code of an entry: in that entry's own matches, without an account",
    PLAYER: "an account of a player of the club: in their own matches and entries",
    ARBITER: "an arbiter of the club",
    ORGANISER: "an organiser of the club",
    STAFF: "the service's staff; a superuser is an organiser of every club besides",
}
"""The roles. The service itself (commands, background work) may do whatever any of them may."""

CLUB: Final = (ARBITER, ORGANISER)
OWN: Final = (CODE, PLAYER)
BRINGERS: Final = (PLAYER, *CLUB)
READ, SUBMIT, MANAGE = "games:read", "games:submit", "tournaments:manage"
BOTS, AUDIT = "bots:run", "audit:read"
ANY, IN_PERSON = "", None
OPEN_TO_BOTS: Final = "a bot of one's own where the tournament is open to bots"


class Right(NamedTuple):
    """A row: ``who`` may ``verb`` the ``noun``, their programs with ``scope``.

    ``scope`` is `ANY` where no scope is asked for, `IN_PERSON` where no program may. ``name`` is
    what the code asks for; what belongs to the club's staff is a field of `permissions.ClubRights`.
    """

    name: str
    verb: str
    noun: str
    who: tuple[str, ...]
    scope: str | None

    @property
    def needs_factor(self) -> bool:
        """Only organisers or the staff may: under https, once they have a second factor."""
        return set(self.who) <= {ORGANISER, STAFF}


TABLE: Final = (
    Right("see", "see", "public tournaments, their rounds, cards, tables", (EVERYBODY,), ANY),
    Right("see_own", "see", "a private tournament in which one plays", OWN, READ),
    Right("see_bots", "see", "a private tournament in which one's own bot plays", (PLAYER,), READ),
    Right("member", "read", "private tournaments, drafts, refused records", CLUB, READ),
    Right("play", "submit, report, confirm, dispute", "results of one's own matches", OWN, SUBMIT),
    Right("speak", "check in, rest, withdraw", "one's own entry", OWN, SUBMIT),
    Right("submit", "submit", "the record of any match", CLUB, SUBMIT),
    Right("arbitrate", "rule on, correct, penalise", "matches, not one's own", CLUB, MANAGE),
    Right("manage", "create, enter, draw, publish, close", "tournaments", (ORGANISER,), MANAGE),
    Right("administer", "invite, change, give out", "people, tokens", (ORGANISER,), IN_PERSON),
    Right("run_bots", "have play, pause", "the bots of a round", (ORGANISER,), BOTS),
    Right("bring", "bring, bring up to date", "a bot of one's own", BRINGERS, BOTS),
    Right("compare", "compare", "versions of a bot of one's own", BRINGERS, BOTS),
    Right("enter_bot", "enter, withdraw", OPEN_TO_BOTS, BRINGERS, BOTS),
    Right("connect", "give out, take back", "tokens of a bot of one's own", BRINGERS, IN_PERSON),
    Right("read_history", "read", "the history of a tournament", CLUB, AUDIT),
    Right("read_trail", "read", "the history of the club", (ORGANISER,), AUDIT),
    Right("serve", "found, pause, register", "clubs, the arena, commands", (STAFF,), IN_PERSON),
)
"""Everything that may be done, and by whom."""

RIGHTS: Final = {right.name: right for right in TABLE}
MARK: Final = "<!-- the table: tournaments/domain/rights.py -->"
"""The line before the table in the document, and after it."""


def rights_table() -> str:
    """Return the table as the document holds it, between its marks."""
    head = ["May", "What", *ROLES, "By token"]
    lines = [MARK, "", _row(head), _row(["---"] * len(head))]
    for right in TABLE:
        marks = ["yes" if role in right.who or EVERYBODY in right.who else "" for role in ROLES]
        lines.append(_row([right.verb, right.noun, *marks, _programs(right)]))
    return "\n".join([*lines, "", MARK])


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _programs(right: Right) -> str:
    if right.scope is IN_PERSON:
        return "never"
    return f"with `{right.scope}`" if right.scope else "with any token"
