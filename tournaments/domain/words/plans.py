"""The names of plans and formats, what each is for, and the questions that they ask.

``plan.<name>`` and ``plan.<name>.for``: a plan and whom it suits. ``ask.<question>`` and
``ask.<question>.help``: a question. ``format.<name>``: a stage by its format.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

PLANS: Final[Mapping[str, tuple[str, str]]] = {
    "liguilla": ("Liguilla", "Liguilla (all play all)"),
    "liguilla.for": (
        "Todos contra todos, una vez. Justa y sencilla hasta unas doce parejas.",
        "Everybody meets everybody once. Fair and simple up to a dozen pairs.",
    ),
    "liguilla_doble": ("Liguilla a dos vueltas", "Liguilla, two turns"),
    "liguilla_doble.for": (
        "Todos contra todos, ida y vuelta: la segunda vez con el reparto cambiado.",
        "Everybody meets everybody twice, the second time with the deal changed over.",
    ),
    "suizo": ("Suizo", "Swiss"),
    "suizo.for": (
        "Pocas rondas para muchos: se enfrentan quienes llevan los mismos puntos. Nadie queda fuera.",  # noqa: E501
        "Few rounds for many: those with equal points meet. Nobody is knocked out.",
    ),
    "suizo_final": ("Suizo con cuadro final", "Swiss, then a final board"),
    "suizo_final.for": (
        "Un suizo, y los mejores juegan una eliminatoria por el título.",
        "A Swiss, and the best play a knock-out for the title.",
    ),
    "grupos_final": ("Grupos y cruces", "Groups, then a knock-out"),
    "grupos_final.for": (
        "Liguillas pequeñas; los primeros de cada una se cruzan en una eliminatoria.",
        "Small liguillas; the first of each meet in a knock-out.",
    ),
    "eliminatoria": ("Eliminatoria", "Knock-out"),
    "eliminatoria.for": (
        "Quien pierde queda fuera. Lo más corto.",
        "Whoever loses is out. The shortest of all.",
    ),
    "doble_eliminacion": ("Doble eliminación", "Double elimination"),
    "doble_eliminacion.for": (
        "Fuera a la segunda derrota: hay un cuadro de ganadores y otro de perdedores.",
        "Out at the second loss: a winners' board and a losers' board.",
    ),
    "repesca": ("Eliminatoria con repesca", "Knock-out with a repesca"),
    "repesca.for": (
        "Quien pierde su primera partida sigue en un cuadro de repesca. Todos juegan dos veces.",
        "Whoever loses the first match plays on in a second board. Everybody plays twice.",
    ),
    "tres_ceros": ("Tres ceros", "Three ceros"),
    "tres_ceros.for": (
        "Cada derrota es un cero; con tres, fuera. Gana quien quede el último.",
        "Each loss is a cero; with three one is out. The last one left wins.",
    ),
    "individual": (
        "Individual con parejas rotatorias",
        "Individual, with rotating partners",
    ),
    "individual.for": (
        "Se apuntan jugadores: en cada ronda cambia el compañero, y cada cual suma lo suyo.",
        "Players enter: partners change in every round, and everybody scores for himself.",
    ),
    "mesas_de_tres": ("Mesas de tres", "Tables of three"),
    "mesas_de_tres.for": (
        "Para el arrastrado: tres jugadores por mesa, procurando que nadie repita rival.",
        "For arrastrado: three players at a table, and nobody meets anybody again while avoidable.",
    ),
    "escalera": ("Escalera", "Ladder"),
    "escalera.for": (
        "Rondas sin fin, para bots sobre todo: cada uno se cruza con todos las mismas veces, y se entra y se sale cuando se quiere.",  # noqa: E501
        "Rounds without end, for bots above all: everybody meets everybody equally often, and one comes and goes at will.",  # noqa: E501
    ),
    "duplicado": ("Duplicado", "Duplicate"),
    "duplicado.for": (
        "Las mismas cartas en todas las mesas: se compara lo que cada pareja saca de ellas.",
        "The same cards at every table: what each pair makes of them is compared.",
    ),
}

ASKS: Final[Mapping[str, tuple[str, str]]] = {
    "rounds": ("Rondas", "Rounds"),
    "rounds.help": (
        "En blanco: las que haga falta según cuántos se inscriban.",
        "Left empty: as many as it takes for those who enter.",
    ),
    "groups": ("Grupos", "Groups"),
    "groups.help": ("", ""),
    "take": ("Cuántos pasan al cuadro final", "How many go on to the final board"),
    "take.help": ("Lo habitual: 4 u 8.", "Usually 4 or 8."),
    "take_of_each": ("Cuántos pasan de cada grupo", "How many go on from each group"),
    "take_of_each.help": ("", ""),
    "third_place": ("Se juega el tercer puesto", "The third place is played for"),
    "third_place.help": ("", ""),
    "reset_final": (
        "Segunda final si gana quien viene de perdedores",
        "A second final if the one from the losers' board wins",
    ),
    "reset_final.help": ("", ""),
    "lives": ("Derrotas con las que se queda fuera", "Losses that put one out"),
    "lives.help": ("", ""),
    "boards": ("Repartos por mesa en cada ronda", "Deals a table plays in a round"),
    "boards.help": ("", ""),
    "tables_deal": (
        "Reparte la primera mesa que juega cada reparto",
        "Whoever plays a deal first deals it",
    ),
    "tables_deal.help": (
        "Si no, los repartos salen del programa: la organización los imprime y prepara las cartas.",
        "If not, the deals come from the program: the organisers print them and lay out the cards.",
    ),
}

FORMATS: Final[Mapping[str, tuple[str, str]]] = {
    "liguilla": ("liguilla", "liguilla"),
    "groups": ("grupos", "groups"),
    "knockout": ("cuadro eliminatorio", "knock-out board"),
    "double": ("doble eliminación", "double elimination"),
    "repesca": ("eliminatoria con repesca", "knock-out with a repesca"),
    "lives": ("ceros", "ceros"),
    "swiss": ("suizo", "Swiss"),
    "individual": ("individual", "individual"),
    "threes": ("mesas de tres", "tables of three"),
    "duplicate": ("duplicado", "duplicate"),
    "ladder": ("escalera", "ladder"),
}

TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        f"{kind}.{code}": text
        for kind, texts in (("plan", PLANS), ("ask", ASKS), ("format", FORMATS))
        for code, text in texts.items()
    }
)
