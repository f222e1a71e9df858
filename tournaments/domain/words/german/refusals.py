"""German: why nothing can be drawn."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "cannot_draw.too_few": "Es nehmen zu wenige teil: Mindestens {least} sind nötig.",
        "cannot_draw.too_many": "Es nehmen zu viele teil: höchstens {most}.",
        "cannot_draw.stage_over": "Es ist nichts mehr auszulosen.",
        "cannot_draw.waiting": "Es fehlen Ergebnisse; (Runde, Tisch): {tables}.",
        "cannot_draw.bad_size": "Mit so vielen Teilnehmern geht es nicht.",
        "cannot_draw.order_missing": "Die Reihenfolge der Auslosung fehlt noch.",
        "cannot_draw.shared_place": "Sie teilen den letzten Platz, der weiterkommt: {entrants}.",
        "cannot_draw.too_many_rounds": "Es sind zu viele Runden: Eine Phase hat höchstens {most}.",
    }
)
