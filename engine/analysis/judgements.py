"""Judges cards by what they cost of the hand: the share of possible deals that they lose."""

from typing import Final, Literal, get_args

Severity = Literal["", "inaccuracy", "mistake", "decisive"]
"""How dear a card was; empty where it was not surely dear."""

Judgement = Literal["", "inaccuracy", "mistake", "decisive", "bad_luck", "lucky"]
"""A severity, or luck: a card within 5 % of the best that lost the hand, or a dear one that cost
nothing in the real deal. Luck is named and not counted."""

PartOutcome = Literal[
    "",
    "overtaken",
    "ruffed",
    "loaded",
    "wins",
    "their_overtaken",
    "their_ruffed",
    "their_loaded",
    "their_wins",
    "lost",
]
"""What happens to a card of the own side, or of theirs, in most deals: a higher one of its suit or
a trump takes it, it is played to a trick of the other side, or it wins its trick. The side loses it
after the card that was played, the others lose theirs after the better one; for what wins its trick
the other way round. This trick is ``lost`` by the one card and not by the other. Empty where the
deals do not agree."""

PART_OUTCOMES: Final[tuple[PartOutcome, ...]] = get_args(PartOutcome)[1:]

SEVERITIES: Final[tuple[tuple[Severity, float], ...]] = (
    ("decisive", 0.4),
    ("mistake", 0.2),
    ("inaccuracy", 0.1),
)
"""The least share of the hand that each costs, the dearest first."""

CERTAINTY: Final = 2.0
"""Standard errors after which a loss must still be half of what its severity asks for."""

NEARLY_BEST: Final = 0.05
"""A card that loses no more than this share is as good as the best."""


def severity_of(loss: float, error: float) -> Severity:
    """The highest severity that a share of the hand surely reaches."""
    sure = loss - CERTAINTY * error
    reached = (name for name, least in SEVERITIES if loss >= least and sure >= least / 2)
    return next(reached, "")


def judge(loss: float, error: float, *, open_loss: int, lost_hand: bool) -> Judgement:
    """The judgement of a card; ``lost_hand`` says that in the real deal the hand was lost by it."""
    severity = severity_of(loss, error)
    if severity:
        return severity if open_loss else "lucky"
    return "bad_luck" if lost_hand and loss <= NEARLY_BEST else ""
