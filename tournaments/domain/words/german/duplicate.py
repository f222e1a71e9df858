"""German: Duplicate movements."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "duplicate_howell": "Runde {round} der Howell-Bewegung: {0} und {1} spielen die Blätter {deals}.",  # noqa: E501
        "duplicate_mitchell": "Runde {round} der Mitchell-Bewegung: {0} und {1} spielen die Blätter {deals}.",  # noqa: E501
        "duplicate_filled": "Von {0} und {1} springt ein Paar für diese Runde auf einem freien Platz der Bewegung ein; keines kannte die Blätter {deals}.",  # noqa: E501
        "duplicate_late": "{0} und {1} kamen, als die Bewegung voll war, und spielen an einem eigenen Tisch die Blätter {deals}, die keines von beiden kennt.",  # noqa: E501
        "duplicate_rest": "{0} setzt aus: In dieser Runde steht niemand gegenüber, mit dem noch zu spielen ist.",  # noqa: E501
    }
)
