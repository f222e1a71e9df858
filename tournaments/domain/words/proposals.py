"""What speaks for a proposed plan; ``rounds`` are those of its first stage."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "propose.liguilla": (
            "Cada cual se enfrenta con todos los demás: la más justa, y en el tiempo que hay cabe.",
            "Everybody meets everybody else: the fairest there is, and there is time for it.",
        ),
        "propose.liguilla_doble": (
            "Cada cual se enfrenta dos veces con todos los demás, y la segunda iguala la suerte de la primera.",  # noqa: E501
            "Everybody meets everybody twice, and the second time evens out the luck of the first.",
        ),
        "propose.suizo": (
            "Nadie queda fuera, y {rounds} rondas bastan para que solo uno pueda ganarlas todas.",
            "Nobody is knocked out, and {rounds} rounds are enough for one alone to win them all.",
        ),
        "propose.suizo_final": (
            "Todos juegan el suizo, y el título se decide en una final y no en el desempate.",
            "Everybody plays the Swiss, and the title is decided in a final, not by a tie-break.",
        ),
        "propose.grupos_final": (
            "En cada grupo se enfrentan todos; los mejores siguen hasta una final.",
            "In each group everybody meets everybody; the best go on to a final.",
        ),
        "propose.eliminatoria": (
            "Lo más corto que tiene final; a cambio, la mitad se va tras la primera ronda.",
            "The shortest that has a final; the price is that half go home after one round.",
        ),
        "propose.doble_eliminacion": (
            "Hay final, y una derrota no echa a nadie. Quien pierde pronto puede jugar muchas veces.",  # noqa: E501
            "It has a final, and one loss puts nobody out. Whoever loses early may play often.",
        ),
        "propose.repesca": (
            "Hay final, y quien pierde su primera partida sigue en otro cuadro: nadie viene para una sola.",  # noqa: E501
            "It has a final, and whoever loses the first match goes on: nobody comes for just one.",
        ),
        "propose.individual": (
            "Se viene sin pareja: en cada ronda toca otro compañero, y cada cual suma lo suyo.",
            "Nobody needs to bring a partner: partners change, and everybody scores for himself.",
        ),
        "propose.mesas_de_tres": (
            "A tres por mesa, y los rivales cambian: se repite lo menos posible.",
            "Three at a table, and opponents change: nobody is met again while it can be avoided.",
        ),
        "propose.too_long": (
            "No cabe en el tiempo que hay: es de lo más corto que se puede jugar siendo tantos.",
            "There is not the time for it: this is among the shortest that so many can play.",
        ),
    }
)
