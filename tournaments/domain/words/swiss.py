"""Why two meet in a Swiss round, why somebody rests, who sits at A, and what a round breaks."""

from types import MappingProxyType
from typing import Final

TEXTS: Final = MappingProxyType(
    {
        "swiss_pinned": (
            "Mesa fijada a mano antes del sorteo: {all}.",
            "Table fixed by hand before the draw: {all}.",
        ),
        "swiss_level": (
            "{0} y {1} llevan los mismos puntos ({points}).",
            "{0} and {1} have the same points ({points}).",
        ),
        "swiss_float_alone": (
            "{0} ({points}) baja a jugar con {1} ({fewer}): nadie más tiene sus puntos.",
            "{0} ({points}) floats down to {1} ({fewer}): nobody else has as many points.",
        ),
        "swiss_float_met_all": (
            (
                "{0} ({points}) baja a jugar con {1} ({fewer}): con los que llevan sus puntos "
                "ya ha jugado o no puede cruzarse."
            ),
            (
                "{0} ({points}) floats down to {1} ({fewer}): has met, or must not meet, "
                "everybody else with as many points."
            ),
        ),
        "swiss_float_odd": (
            "{0} ({points}) baja a jugar con {1} ({fewer}): en su grupo de puntos eran impares.",
            "{0} ({points}) floats down to {1} ({fewer}): the score group was odd in number.",
        ),
        "swiss_float_best": (
            (
                "{0} ({points}) baja a jugar con {1} ({fewer}): así la ronda tiene los menos "
                "rivales y descansos repetidos posibles y, después, las menores diferencias de "
                "puntos."
            ),
            (
                "{0} ({points}) floats down to {1} ({fewer}): so the round has the fewest "
                "repeated opponents and byes and, after that, the smallest differences of points."
            ),
        ),
        "swiss_rematch": (
            (
                "{0} y {1} ya se enfrentaron (ronda {rounds}): no queda ronda posible con menos "
                "repeticiones y cruces vedados."
            ),
            (
                "{0} and {1} have met before (round {rounds}): no possible round has fewer "
                "repeated or forbidden meetings."
            ),
        ),
        "swiss_apart": (
            (
                "{0} y {1} debían ir separados ({labels}): no queda ronda posible con menos "
                "repeticiones y cruces vedados."
            ),
            (
                "{0} and {1} were to be kept apart ({labels}): no possible round has fewer "
                "repeated or forbidden meetings."
            ),
        ),
        "swiss_club": (
            (
                "{0} y {1} son del mismo club ({club}): evitarlo alejaba más los puntos, "
                "repetía rival o cargaba más a otros."
            ),
            (
                "{0} and {1} are of the same club ({club}): avoiding it would have widened the "
                "differences of points, repeated a meeting or burdened others more."
            ),
        ),
        "swiss_down_again": (
            "{0} baja por segunda ronda seguida: cualquier otra solución era peor.",
            "{0} floats down for the second round running: every other way was worse.",
        ),
        "swiss_up_again": (
            "{0} sube por segunda ronda seguida: cualquier otra solución era peor.",
            "{0} floats up for the second round running: every other way was worse.",
        ),
        "swiss_rest_last": (
            "{0} descansa: aún no había descansado y nadie lleva menos puntos ({points}).",
            "{0} rests: has not rested yet, and nobody has fewer points ({points}).",
        ),
        "swiss_rest_below_had": (
            "{0} descansa: todos los que llevan menos puntos ({points}) ya han descansado.",
            "{0} rests: everybody with fewer points ({points}) has rested already.",
        ),
        "swiss_rest_best": (
            (
                "{0} descansa ({points} puntos): con el descanso más abajo se repetían rivales "
                "o se alejaban más los puntos."
            ),
            (
                "{0} rests ({points} points): with the bye further down, opponents would have "
                "met again or the differences of points been wider."
            ),
        ),
        "swiss_rest_all_had": (
            "{0} descansa otra vez (ya en la ronda {rounds}): todos han descansado ya.",
            "{0} rests again (as in round {rounds}): everybody has rested already.",
        ),
        "swiss_rest_again": (
            (
                "{0} descansa otra vez (ya en la ronda {rounds}): si no, alguien repetiría "
                "rival o tendría un cruce vedado."
            ),
            (
                "{0} rests again (as in round {rounds}): otherwise somebody would have had a "
                "repeated or forbidden meeting."
            ),
        ),
        "swiss_deal_fewer": (
            (
                "{0} ocupa la plaza A y da el último: le ha tocado {ours} veces sí y {others} "
                "no; a {1}, {theirs} sí y {their_others} no."
            ),
            (
                "{0} takes seat A and deals last: had it {ours} times and not {others} times; "
                "{1}, {theirs} and {their_others}."
            ),
        ),
        "swiss_deal_turn": (
            (
                "{0} ocupa la plaza A y da el último: le ha tocado tanto como a {1}, y la "
                "última vez que no coincidieron fue el turno de {1}."
            ),
            (
                "{0} takes seat A and deals last: has had it as often as {1}, and when they "
                "last differed it was {1}'s turn."
            ),
        ),
        "swiss_deal_lot": (
            (
                "{0} ocupa la plaza A y da el último: le ha tocado tanto como a {1}, y decide "
                "el orden de siembra con el sorteo inicial."
            ),
            (
                "{0} takes seat A and deals last: has had it as often as {1}, and the seeding "
                "order decides with the lot drawn at the start."
            ),
        ),
        "check_twice": (
            "{0} está sentado dos veces.",
            "{0} is seated twice.",
        ),
        "check_missing": (
            "{0} está presente y no tiene mesa.",
            "{0} is here and has no table.",
        ),
        "check_not_here": (
            "{0} no está en esta ronda.",
            "{0} is not here in this round.",
        ),
        "check_asked_bye": (
            "{0} ha pedido descansar en esta ronda.",
            "{0} has asked for a bye in this round.",
        ),
        "check_sides": (
            "La mesa debe tener los lados que admite el formato, y ninguno vacío.",
            "The table must have as many sides as the format seats, and none empty.",
        ),
        "check_rematch": (
            "{0} y {1} ya se enfrentaron (ronda {rounds}).",
            "{0} and {1} have met before (round {rounds}).",
        ),
        "check_apart": (
            "{0} y {1} deben ir separados ({labels}).",
            "{0} and {1} are to be kept apart ({labels}).",
        ),
        "check_club": (
            "{0} y {1} son del mismo club ({club}).",
            "{0} and {1} are of the same club ({club}).",
        ),
        "check_second_bye": (
            "{0} ya ha descansado (ronda {rounds}).",
            "{0} has rested before (round {rounds}).",
        ),
        "check_two_byes": (
            "Descansan {all} a la vez, y podrían jugar entre sí.",
            "{all} rest in the same round, and could play each other.",
        ),
    }
)
