"""German: why a line stands where it stands."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "place.first": "{name} führt: Niemand steht davor.",
        "place.points": "{name} steht nach Partiepunkten hinter {above}: {mine} gegen {theirs}.",
        "place.criterion": "{name} steht hinter {above}: gleich in {level}; bei „{criterion}“ {mine} gegen {theirs}.",  # noqa: E501
        "place.foremost": "{name} steht bei „{criterion}“ hinter {above}: {mine} gegen {theirs}.",
        "place.among": "{name} steht hinter {above}: gleich in {level}, „{criterion}“ untereinander entscheidet.",  # noqa: E501
        "place.course": "{name} steht hinter {above}, mit dem früheren Ausscheiden.",
        "place.group": "{name} steht hinter {above}, besser in der Gruppe.",
        "place.lots": "{name} und {above} sind in allem gleich; das Los stellt {above} nach vorn.",
        "place.shared": "{name} und {above} sind in allem gleich: Sie teilen den Platz.",
    }
)
