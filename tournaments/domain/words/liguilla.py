"""Why two meet, or one rests, in a liguilla or a group."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "on_schedule": (
            (
                "Jornada {place} del calendario: {0} y {1} ocupan las sillas {home} y {away}, "
                "que se enfrentan en ella."
            ),
            (
                "Round {place} of the schedule: {0} and {1} have chairs {home} and {away}, "
                "which meet in it."
            ),
        ),
        "still_to_meet": (
            "A {0} y {1} les falta enfrentarse; el calendario se rehízo en las mínimas jornadas.",
            "{0} and {1} still have to meet; the schedule was made anew in the fewest rounds.",
        ),
        "opponent_left": (
            "{0} descansa: le tocaba {1}, que se ha retirado.",
            "{0} rests: the opponent would be {1}, who has left.",
        ),
        "opponent_away": (
            (
                "{0} descansa: le tocaba {1}, que hoy falta; se enfrentarán después de la última "
                "jornada prevista."
            ),
            (
                "{0} rests: the opponent would be {1}, who is away; they meet after the last round "
                "planned."
            ),
        ),
        "empty_chair": (
            "{0} descansa: le toca la silla vacía.",
            "{0} rests, facing the empty chair.",
        ),
        "waits_for_others": (
            "{0} descansa: en esta jornada no le queda rival libre.",
            "{0} rests: no opponent is left for this round.",
        ),
    }
)
