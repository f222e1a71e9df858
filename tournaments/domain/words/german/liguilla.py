"""German: the liguilla."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "on_schedule": "Runde {place} des Spielplans: {0} und {1} haben die Plätze {home} und {away}, die sich in ihr begegnen.",  # noqa: E501
        "still_to_meet": "{0} und {1} haben noch gegeneinander zu spielen; der Spielplan wurde mit so wenigen Runden wie möglich neu gemacht.",  # noqa: E501
        "opponent_left": "{0} ist spielfrei: Gegner wäre {1}, das Turnier wurde dort aber verlassen.",  # noqa: E501
        "opponent_away": "{0} ist spielfrei: Gegner wäre {1} und ist nicht da; die Partie folgt nach der letzten geplanten Runde.",  # noqa: E501
        "empty_chair": "{0} ist spielfrei, gegenüber dem leeren Platz.",
        "waits_for_others": "{0} ist spielfrei: Für diese Runde ist kein Gegner übrig.",
    }
)
