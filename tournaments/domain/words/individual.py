"""Why somebody plays with whom, against whom, or sits out, when partners change every round."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "individual_replanned": (
            (
                "Han cambiado los presentes y se han replanteado las rondas que quedan: compañeros"
                " repetidos al final, {partner_repeats} (con el plan anterior,"
                " {partner_repeats_before}); rivales por encima de lo justo, {opponents_over}"
                " (antes, {opponents_over_before}); diferencia de descansos, {sit_out_spread}"
                " (antes, {sit_out_spread_before})."
            ),
            (
                "Players have come or gone, and the remaining rounds were planned anew: repeated"
                " partners by the end, {partner_repeats} (under the plan before,"
                " {partner_repeats_before}); opponents beyond an even share, {opponents_over}"
                " (before, {opponents_over_before}); difference in sit-outs, {sit_out_spread}"
                " (before, {sit_out_spread_before})."
            ),
        ),
        "individual_all_new": (
            "{0} y {1} no habían sido compañeros, {2} y {3} tampoco, y nadie repite rival.",
            "{0} and {1} have not been partners before, nor {2} and {3}; all opponents are new.",
        ),
        "individual_partners_new": (
            (
                "{0} y {1} no habían sido compañeros, {2} y {3} tampoco. Veces que ya se habían"
                " enfrentado: "
                "{0}–{2} {met_02}, {0}–{3} {met_03}, {1}–{2} {met_12}, {1}–{3} {met_13}."
            ),
            (
                "{0} and {1} have not been partners before, nor have {2} and {3}. Times they have"
                " been opponents: "
                "{0}–{2} {met_02}, {0}–{3} {met_03}, {1}–{2} {met_12}, {1}–{3} {met_13}."
            ),
        ),
        "individual_partners_again": (
            (
                "Ya no se podía evitar que se repitan compañeros: {0} y {1} lo han sido {first}"
                " veces antes, {2} y {3} {second}. Veces que ya se habían enfrentado: "
                "{0}–{2} {met_02}, {0}–{3} {met_03}, {1}–{2} {met_12}, {1}–{3} {met_13}."
            ),
            (
                "Partners could no longer all be new: {0} and {1} have been so {first} times"
                " before, {2} and {3} {second}. Times they have been opponents: "
                "{0}–{2} {met_02}, {0}–{3} {met_03}, {1}–{2} {met_12}, {1}–{3} {met_13}."
            ),
        ),
        "individual_apart": (
            "No debían coincidir en una mesa, y no se ha podido evitar: {all}.",
            "They should not share a table, and it could not be avoided: {all}.",
        ),
        "individual_rest": (
            (
                "{0} descansa: las mesas son de cuatro y sobran {spare}; nadie de los que juegan ha"
                " descansado menos (descansos hasta ahora: {times})."
            ),
            (
                "{0} sits out: tables are of four and {spare} are left over; nobody who plays has"
                " sat out less (sat out so far: {times})."
            ),
        ),
        "individual_rest_latest": (
            (
                "{0} descansa: las mesas son de cuatro y sobran {spare}; de los que menos han"
                " descansado, de los últimos en llegar (descansos hasta ahora: {times})."
            ),
            (
                "{0} sits out: tables are of four and {spare} are left over; of those who have"
                " sat out least, among the last to come (sat out so far: {times})."
            ),
        ),
    }
)
