"""Why somebody stands where he does: one sentence beside the table.

``place.first``: nobody is above. ``place.points``: fewer match points. ``place.criterion``: level
in ``level``, behind in ``criterion``; ``place.foremost``: behind in what counts first.
``place.among``: the same where it is a matter of the games among the tied. ``place.course``,
``place.group``, ``place.lots``, ``place.shared``: no number.
"""

from types import MappingProxyType
from typing import Final

PLACES: Final = {
    "first": (
        "{name} va en cabeza: nadie está por encima.",
        "{name} leads: nobody stands above.",
    ),
    "points": (
        "{name} va tras {above} por puntos: {mine} contra {theirs}.",
        "{name} stands below {above} by match points: {mine} against {theirs}.",
    ),
    "criterion": (
        "{name} va tras {above}: igualados en {level}; en «{criterion}», {mine} contra {theirs}.",
        "{name} stands below {above}: level in {level}; in “{criterion}”, {mine} against {theirs}.",
    ),
    "foremost": (
        "{name} va tras {above} en «{criterion}»: {mine} contra {theirs}.",
        "{name} stands below {above} in “{criterion}”: {mine} against {theirs}.",
    ),
    "among": (
        "{name} va tras {above}: igualados en {level}, decide «{criterion}» entre ellos.",
        "{name} stands below {above}: level in {level}, “{criterion}” among them decides.",
    ),
    "course": (
        "{name} va tras {above}, que llegó más lejos.",
        "{name} stands below {above}, who got further.",
    ),
    "group": (
        "{name} va tras {above}, que quedó mejor en su grupo.",
        "{name} stands below {above}, who came out better in the group.",
    ),
    "lots": (
        "{name} y {above} empatan en todo; el sorteo puso delante a {above}.",
        "{name} and {above} are level in everything; lots put {above} first.",
    ),
    "shared": (
        "{name} y {above} empatan en todo: comparten el puesto.",
        "{name} and {above} are level in everything: they share the place.",
    ),
}

TEXTS: Final = MappingProxyType({f"place.{code}": text for code, text in PLACES.items()})
