"""Analyses a record: the value of its deals, the loss of each card, and the balance of play.

Every card has two losses: with all cards seen, and given what its player could know.
``docs/programs/analysis.md`` explains how they are computed and what they do not say.
"""

from engine.analysis.answer import (
    ANALYSIS_VERSION,
    LUCK_SCALE,
    NOT_ANALYSED,
    ROLES,
    AdjustedResult,
    Analysis,
    CardAnalysis,
    CardFigure,
    HandAnalysis,
    LuckScale,
    Margins,
    ScaledLuck,
    SeatAnalysis,
    SeatSum,
    Terms,
    Turn,
    adjusted_results,
    scale_luck,
    sums_by_seat,
)
from engine.analysis.arbiter import (
    FALSE_ALARM_RATE,
    MIN_HANDS,
    Fit,
    QueuedPlayer,
    arbiter_queue,
    fit_of,
)
from engine.analysis.hands import (
    analyse,
    analyse_hand,
    analyse_hands,
    best_line,
    hand_digest,
    judge_hand,
)
from engine.analysis.marks import GRADES, MARKS, Grade

__all__ = [
    "ANALYSIS_VERSION",
    "FALSE_ALARM_RATE",
    "GRADES",
    "LUCK_SCALE",
    "MARKS",
    "MIN_HANDS",
    "NOT_ANALYSED",
    "ROLES",
    "AdjustedResult",
    "Analysis",
    "CardAnalysis",
    "CardFigure",
    "Fit",
    "Grade",
    "HandAnalysis",
    "LuckScale",
    "Margins",
    "QueuedPlayer",
    "ScaledLuck",
    "SeatAnalysis",
    "SeatSum",
    "Terms",
    "Turn",
    "adjusted_results",
    "analyse",
    "analyse_hand",
    "analyse_hands",
    "arbiter_queue",
    "best_line",
    "fit_of",
    "hand_digest",
    "judge_hand",
    "scale_luck",
    "sums_by_seat",
]
