"""Why two meet, or one goes through, in a knock-out of any kind."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "seed_v_seed": (
            "{0} y {1}, cabezas de serie {table1} y {table2}, según el cuadro.",
            "{0} and {1}, seeds {table1} and {table2}, as the bracket has it.",
        ),
        "seed_v_winner": (
            "{0}, cabeza de serie {table1}; {1} ganó la mesa {table2} (ronda {round2}).",
            "{0}, seed {table1}, against {1}, the winner of table {table2} (round {round2}).",
        ),
        "winner_v_winner": (
            "Ganaron las mesas {table1} (ronda {round1}) y {table2} (ronda {round2}): {0} y {1}.",
            "They won tables {table1} (round {round1}) and {table2} (round {round2}): {0} and {1}.",
        ),
        "loser_v_loser": (
            "Perdieron las mesas {table1} (ronda {round1}) y {table2} (ronda {round2}): {0} y {1}.",
            "They lost tables {table1} (round {round1}), {table2} (round {round2}): {0} and {1}.",
        ),
        "loser_v_winner": (
            (
                "{0}, que perdió en la mesa {table1} (ronda {round1}), contra {1}, que ganó la "
                "{table2} (ronda {round2})."
            ),
            (
                "{0}, who lost at table {table1} (round {round1}), against {1}, who won table "
                "{table2} (round {round2})."
            ),
        ),
        "loser_v_seed": (
            (
                "{0}, que perdió en la mesa {table1} (ronda {round1}), contra {1}, cabeza de serie "
                "{table2}."
            ),
            "{0}, who lost at table {table1} (round {round1}), against {1}, seed {table2}.",
        ),
        "seed_rests": (
            "{0}, cabeza de serie {seed}, descansa: son {count} en un cuadro de {size}.",
            "{0}, seed {seed}, rests: {count} entrants in a bracket of {size}.",
        ),
        "nobody_opposite": (
            "{0} pasa sin jugar: por el otro lado del cuadro no llega nadie.",
            "{0} goes through without playing: nobody comes from the other side of the bracket.",
        ),
        "walk_over": (
            "{0} pasa sin jugar: {1} no está.",
            "{0} goes through without playing: {1} is not there.",
        ),
        "moved": (
            "Mesa rehecha porque la organización ha fijado otra: {all}.",
            "A table made up because the director fixed another: {all}.",
        ),
    }
)
