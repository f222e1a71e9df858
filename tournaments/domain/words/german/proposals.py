"""German: why a format is proposed."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "propose.liguilla": "Jeder trifft jeden: gerechter geht es nicht, und die Zeit reicht dafür.",  # noqa: E501
        "propose.liguilla_doble": "Jeder trifft jeden zweimal, und das zweite Mal gleicht das Glück des ersten aus.",  # noqa: E501
        "propose.suizo": "Niemand scheidet aus, und {rounds} Runden genügen, damit nur einer alle gewinnen kann.",  # noqa: E501
        "propose.suizo_final": "Alle spielen das Schweizer System, und der Titel fällt in einem Finale, nicht durch eine Feinwertung.",  # noqa: E501
        "propose.grupos_final": "In jeder Gruppe trifft jeder jeden; die Besten kommen in eine Endrunde.",  # noqa: E501
        "propose.eliminatoria": "Am kürzesten mit einem Finale; der Preis: Die Hälfte geht nach einer Runde nach Hause.",  # noqa: E501
        "propose.doble_eliminacion": "Es gibt ein Finale, und eine Niederlage wirft niemanden hinaus. Wer früh verliert, spielt womöglich oft.",  # noqa: E501
        "propose.repesca": "Es gibt ein Finale, und wer die erste Partie verliert, spielt weiter: Niemand kommt für nur eine.",  # noqa: E501
        "propose.individual": "Niemand muss einen Partner mitbringen: Die Partner wechseln, und jeder zählt für sich.",  # noqa: E501
        "propose.mesas_de_tres": "Drei am Tisch, und die Gegner wechseln: Niemand trifft jemanden wieder, solange es sich vermeiden lässt.",  # noqa: E501
        "propose.too_long": "Die Zeit reicht dafür nicht: Es gehört zum Kürzesten, was so viele spielen können.",  # noqa: E501
    }
)
