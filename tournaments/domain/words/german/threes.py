"""German: tables of three."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "threes_new": "{0}, {1} und {2} saßen noch nicht am selben Tisch.",
        "threes_again": "{0} und {1} saßen schon am selben Tisch (bisher: {times}): Eine bessere Anordnung der übrigen Runden wurde nicht gefunden.",  # noqa: E501
        "threes_apart": "{0} und {1} sollten nicht am selben Tisch sitzen, und es ließ sich nicht vermeiden.",  # noqa: E501
        "threes_rest": "{0} setzt aus: An einem Tisch sitzen drei, und {spare} bleiben übrig (bisher: {times}).",  # noqa: E501
        "threes_replanned": "Spieler sind gekommen oder gegangen, und die übrigen Runden wurden neu geplant: wiederholte Begegnungen bis zum Ende {repeats} (nach dem Plan davor {repeats_before}); Unterschied beim Aussetzen {sit_outs} (davor {sit_outs_before}).",  # noqa: E501
    }
)
