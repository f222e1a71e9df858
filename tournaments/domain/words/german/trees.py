"""German: brackets."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "seed_v_seed": "{0} und {1}, gesetzt als {table1} und {table2}, wie es der Baum vorsieht.",
        "seed_v_winner": "{0}, gesetzt als {table1}, gegen {1}, Sieger von Tisch {table2} (Runde {round2}).",  # noqa: E501
        "winner_v_winner": "Sie gewannen die Tische {table1} (Runde {round1}) und {table2} (Runde {round2}): {0} und {1}.",  # noqa: E501
        "loser_v_loser": "Sie verloren an den Tischen {table1} (Runde {round1}) und {table2} (Runde {round2}): {0} und {1}.",  # noqa: E501
        "loser_v_winner": "{0}, verloren an Tisch {table1} (Runde {round1}), gegen {1}, gewonnen an Tisch {table2} (Runde {round2}).",  # noqa: E501
        "loser_v_seed": "{0}, verloren an Tisch {table1} (Runde {round1}), gegen {1}, gesetzt als {table2}.",  # noqa: E501
        "seed_rests": "{0}, gesetzt als {seed}, ist spielfrei: {count} Teilnehmer in einem Baum für {size}.",  # noqa: E501
        "nobody_opposite": "{0} kommt kampflos weiter: Von der anderen Seite des Baums kommt niemand.",  # noqa: E501
        "walk_over": "{0} kommt kampflos weiter: {1} ist nicht da.",
        "moved": "Ein Tisch, der entstand, weil die Turnierleitung einen anderen festgelegt hat: {all}.",  # noqa: E501
    }
)
