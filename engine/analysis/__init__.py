"""The analysis of a record: what deals were worth, what each card cost, and who played better.

Two losses are told of every card: with all cards seen, and given what its player could know.
``docs/analysis.md`` says how they are found and what they do not say.
"""

from engine.analysis.answer import (
    ANALYSIS_VERSION,
    NOT_ANALYSED,
    ROLES,
    Adjusted,
    Analysis,
    CardAnalysis,
    HandAnalysis,
    SeatAnalysis,
    SeatSum,
    Terms,
    adjusted,
    sums_by_seat,
)
from engine.analysis.arbiter import LEAST_HANDS, RATE, Fit, Queued, fit_of, queue
from engine.analysis.digests import hand_digest
from engine.analysis.hands import analyse_hand
from engine.analysis.marks import GRADES, SIGNS, Grade
from engine.analysis.records import analyse, analysed_hands, best_line

__all__ = [
    "ANALYSIS_VERSION",
    "GRADES",
    "LEAST_HANDS",
    "NOT_ANALYSED",
    "RATE",
    "ROLES",
    "SIGNS",
    "Adjusted",
    "Analysis",
    "CardAnalysis",
    "Fit",
    "Grade",
    "HandAnalysis",
    "Queued",
    "SeatAnalysis",
    "SeatSum",
    "Terms",
    "adjusted",
    "analyse",
    "analyse_hand",
    "analysed_hands",
    "best_line",
    "fit_of",
    "hand_digest",
    "queue",
    "sums_by_seat",
]
