"""The rules of Tute in the words of a club, under the numbers of ``docs/rules.md``.

``rule.R4.2``: a rule; ``rule.R4``: the name of its chapter. ``rules.<row>``: a row of the table of
the six rulesets (R3), ``rules.<row>.<cell>`` what may stand in it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

CHAPTERS: Final[Mapping[str, tuple[str, str]]] = {
    "R1": ("La baraja", "The pack"),
    "R2": ("Asientos y reparto", "Seats and dealing"),
    "R3": ("Seis reglamentos", "Six rulesets"),
    "R4": ("Qué se puede jugar", "What may be played"),
    "R5": ("La baceta y el cambio", "The stock and the exchange"),
    "R6": ("Los cantes", "Declarations"),
    "R7": ("La cuenta", "Counting"),
    "R8": ("Los pagos del arrastrado", "The stakes of arrastrado"),
    "R9": ("Mano a mano: a 101 tantos", "Mano a mano: the race to 101"),
    "R10": ("Irregularidades", "Irregularities"),
}

RULES: Final[Mapping[str, tuple[str, str]]] = {
    "R1.0": (
        "La baraja tiene cuarenta cartas: oros, copas, espadas y bastos. De más a menos: as, tres, rey, caballo, sota, 7, 6, 5, 4 y 2. Valen 11, 10, 4, 3 y 2, y las blancas nada. La última baza vale diez más: una mano suma 130 sin cantes.",  # noqa: E501
        "The pack has forty cards: coins, cups, swords and clubs. From the top: ace, three, king, knight, jack, 7, 6, 5, 4 and 2. They count 11, 10, 4, 3 and 2, the white ones nothing. The last trick has ten more: a hand adds up to 130 before declarations.",  # noqa: E501
    ),
    "R2.1": (
        "Los asientos son A, B, C y D por orden de juego, que va al contrario de las agujas del reloj.",  # noqa: E501
        "Seats are A, B, C and D in playing order, which goes round against the clock.",
    ),
    "R2.2": (
        "Por parejas, A juega con C y B con D. Si no, cada cual juega para sí.",
        "In pairs A plays with C, and B with D. Otherwise everybody plays for himself.",
    ),
    "R2.3": (
        "La primera baza la abre la mano, que va detrás de quien reparte; luego, quien ganó la anterior.",  # noqa: E501
        "The seat after the dealer is mano and leads first; then whoever took the last trick.",
    ),
    "R2.4": (
        "El primero que reparte sale a suertes; en cada mano pasa al siguiente.",
        "The first dealer is drawn by lot; after each hand the deal passes on.",
    ),
    "R4.1": (
        "Quien sale juega lo que quiere; cada cual, solo lo que tiene.",
        "The leader plays what he likes; everybody plays only what he holds.",
    ),
    "R4.2": (
        "Se asiste al palo de salida y, si se puede, se monta sobre su mejor carta, aunque sea del compañero.",  # noqa: E501
        "Follow the led suit, and beat its best card if you can, your partner's too.",
    ),
    "R4.3": (
        "Cuando alguien ha fallado ya, vale cualquier carta del palo de salida.",
        "Once somebody has trumped, any card of the led suit will do.",
    ),
    "R4.4": (
        "Quien no tiene del palo de salida falla con triunfo.",
        "Whoever has none of the led suit must trump.",
    ),
    "R4.4a": (
        "Sobre un triunfo hay que pisar con uno mayor; quien no puede, juega lo que quiera.",
        "Over a trump a higher one must be played; whoever has none plays anything at all.",
    ),
    "R4.4b": (
        "En parejas basta cualquier triunfo sobre otro triunfo.",
        "In parejas any trump will do over a trump.",
    ),
    "R4.5": (
        "Sin palo de salida y sin triunfo se juega lo que se quiera.",
        "With neither the led suit nor a trump, anything may be played.",
    ),
    "R4.6": (
        "En mano a mano, mientras queda baceta, solo obliga la salida de triunfo: se asiste con cualquiera.",  # noqa: E501
        "In mano-a-mano, while there are cards to draw, only a led trump binds: follow with any trump.",  # noqa: E501
    ),
    "R4.7": (
        "Gana la baza el triunfo más alto; si no hay, la carta más alta del palo de salida.",
        "The highest trump takes the trick, otherwise the highest card of the led suit.",
    ),
    "R5.1": (
        "Tras la baza roba primero quien la ganó y luego el otro; la carta vista es la última.",
        "After a trick its winner draws, then the other; the upcard comes last.",
    ),
    "R5.2": (
        "El siete de triunfo se cambia por una carta vista que puntúe; el dos, por un 7, 6, 5 o 4, también por un siete dejado antes.",  # noqa: E501
        "The seven of trumps may be exchanged for an upcard that counts, the two for a 7, 6, 5 or 4, also for a seven left there before.",  # noqa: E501
    ),
    "R5.3": (
        "En habanero cambia cualquiera, en todo momento, mientras quedan más de dos cartas.",
        "In habanero either player exchanges, at any moment, while more than two cards are left.",
    ),
    "R5.4": (
        "En mano a mano solo cambia quien ha ganado una baza.",
        "In mano-a-mano only somebody who has won a trick exchanges.",
    ),
    "R5.5": (
        "En arrastrado se cambia antes de la primera salida, y lo hace quien tiene la carta.",
        "In arrastrado one exchanges before the first lead, whoever holds the card.",
    ),
    "R6.1": (
        "Rey y caballo de un palo en la misma mano: las cuarenta en triunfo, las veinte en los demás.",  # noqa: E501
        "King and knight of a suit in one hand: forty in trumps, twenty elsewhere.",
    ),
    "R6.2": (
        "Se canta tras una baza del propio bando, después de robar y antes de la salida siguiente.",
        "Declare after a trick of one's own side, after drawing, before the next lead.",
    ),
    "R6.3": ("Cada palo se canta una vez por mano.", "A suit is declared once a hand."),
    "R6.4": (
        "Tras una baza no se canta más de lo que admite el reglamento.",
        "After one trick no more is declared than the ruleset allows.",
    ),
    "R6.5": (
        "Las cuarenta y las veinte: qué va antes depende del reglamento.",
        "The forty and the twenty: which goes first depends on the ruleset.",
    ),
    "R6.5a": (
        "Habanero: quien canta veinte teniendo las cuarenta ha de esperar a otra baza para cantarlas.",  # noqa: E501
        "Habanero: who declares a twenty over a forty waits for another trick to declare the forty.",  # noqa: E501
    ),
    "R6.5b": (
        "Parejas: quien canta veinte teniendo las cuarenta las ha perdido.",
        "Parejas: who declares a twenty over a forty has lost the forty.",
    ),
    "R6.5c": (
        "Parejas online: quien tiene las dos cosas canta solo las cuarenta.",
        "Parejas-online: who has both declares the forty alone.",
    ),
    "R6.5d": (
        "Arrastrado: nadie canta veinte antes que sus cuarenta.",
        "Arrastrado: no twenty before one's own forty.",
    ),
    "R6.6": (
        "Donde callar cuesta, lo que se pudo cantar y no se cantó queda perdido.",
        "Where silence costs, what could have been declared and was not is lost.",
    ),
    "R6.7": (
        "Los cuatro reyes (o caballos) en una mano la ganan al momento.",
        "Four kings (or knights) in one hand win it at once.",
    ),
    "R6.8": (
        "En parejas online, el tute solo en la primera baza del bando y antes de cualquier cante suyo.",  # noqa: E501
        "In parejas-online a tute comes only at the side's first trick, before any twenty or forty of it.",  # noqa: E501
    ),
    "R7.1": (
        "Cuentan las cartas ganadas, las diez de últimas y los cantes.",
        "What counts is cards taken, ten for the last trick, and declarations.",
    ),
    "R7.2": ("Gana quien hace más tantos.", "Most points win."),
    "R7.3": (
        "En empate gana, de los empatados, quien hizo la última baza.",
        "On a tie, of those tied whoever won the last trick wins.",
    ),
    "R7.4": (
        "Una mano es un punto de la partida, que va a tantas manos ganadas o a un número fijo.",
        "A hand is a point of the match, to a target or over a fixed number of hands.",
    ),
    "R7.5": (
        "En una mano cortada cuenta lo hecho hasta entonces, sin las diez de últimas.",
        "A hand cut short counts what was made, without the last ten.",
    ),
    "R8.1": (
        "Con cuatro a la mesa, quien reparte no juega, pero pone en el plato.",
        "With four at the table the dealer sits out, but feeds the plate.",
    ),
    "R8.2": (
        "Quien canta cobra sus 40 o 20 de cada uno; un tute, 200 de cada uno.",
        "A declarer gets his 40 or 20 from each; a tute 200 from each.",
    ),
    "R8.3": (
        "Sin plato: quien gana cobra 100 de cada uno, y 200 si llega a 101 tantos.",
        "Flat: the winner gets 100 from each, 200 with 101 points.",
    ),
    "R8.4": (
        "Con plato: cada uno pone 100, y cada repartidor siguiente 20; antes de la salida cada cual dice por turno si va o pasa.",  # noqa: E501
        "Plate: everybody puts in 100, each later dealer 20; before the first lead each says in turn whether he supports.",  # noqa: E501
    ),
    "R8.5": (
        "El cambio y el ir o pasar se hacen en cualquier orden.",
        "Exchange and support come in either order.",
    ),
    "R9.1": (
        "Si en el primer reparto alguien llega a 101, gana el juego; si llegan los dos, quien llegó antes.",  # noqa: E501
        "A first deal that brings somebody to 101 decides the game; if both, whoever was there first.",  # noqa: E501
    ),
    "R9.2": (
        "Si no, se juega un segundo reparto, que da quien hizo las diez de últimas, y se suma.",
        "Otherwise a second deal, dealt by the winner of the last ten, is added to it.",
    ),
    "R9.3": (
        "En el segundo puede pedir quien acaba de ganar una baza: con 101 gana; sin ellos, pierde.",
        "In the second, whoever has just won a trick may claim: with 101 he wins, without he loses.",  # noqa: E501
    ),
    "R9.4": ("En cada juego reparte el otro.", "Games alternate the dealer."),
    "R9.5": (
        "Capote: las ocho últimas bazas, todas. Se anuncia tras el último robo y antes de la salida.",  # noqa: E501
        "Capote: all of the last eight tricks, announced after the last draw and before the next lead.",  # noqa: E501
    ),
    "R10.1": (
        "Lo que va contra una regla deja el acta sin valor desde ahí; lo anterior vale.",
        "What breaks a rule makes the record invalid there; what came before stands.",
    ),
    "R10.2": (
        "Qué se sigue de ello lo dice el árbitro, nunca el programa.",
        "What follows from it is for the arbiter, never for the program.",
    ),
}

YES_NO: Final = {"yes": ("sí", "yes"), "no": ("no", "no")}
ROWS: Final[Mapping[str, tuple[tuple[str, str], Mapping[str, tuple[str, str]]]]] = {
    "players": (
        ("Jugadores", "Players"),
        {
            "two": ("2", "2"),
            "pairs": ("dos parejas", "two pairs"),
            "three": ("3, o 4 y uno reparte", "3, or 4 with the dealer out"),
        },
    ),
    "cards": (
        ("Cartas a cada uno", "Cards each"),
        {"some": ("{each}; quedan {left}", "{each}; {left} left")},
    ),
    "trump_shown": (
        ("Pinta el triunfo", "Trumps are shown by"),
        {
            "stock": ("la última de la baceta", "the last card of the stock"),
            "dealer": ("la última de quien reparte", "the dealer's last card"),
            "aside": ("la carta que sobra", "the card left over"),
        },
    ),
    "duties_while_stock": (
        ("Mientras hay baceta", "While there is a stock"),
        {
            "full": ("obliga todo", "all duties hold"),
            "trumps": ("solo obliga el arrastre", "only a led trump binds"),
            "none": ("no hay baceta", "there is none"),
        },
    ),
    "must_overtrump": (
        ("Pisar un triunfo", "Over a trump"),
        {"True": ("con uno mayor", "a higher one"), "False": ("con cualquiera", "any trump")},
    ),
    "exchange": (
        ("Cambio", "Exchange"),
        {
            "none": ("no", "no"),
            "stock": ("sí", "yes"),
            "trick": ("con una baza ganada", "with a trick won"),
            "before_play": ("antes de la salida", "before the first lead"),
        },
    ),
    "declare_at": (
        ("Cuándo se canta", "When to declare"),
        {
            "every": ("tras cada baza propia", "after every trick of the side"),
            "first": ("solo en la primera baza propia", "at the side's first trick alone"),
        },
    ),
    "declarations_per_trick": (
        ("Cantes por baza", "Declarations at a time"),
        {"0": ("los que se quiera", "any number"), "1": ("uno", "one")},
    ),
    "declaring_order": (
        ("Las cuarenta y las veinte", "Forty and twenty"),
        {
            "free": ("como se quiera", "in any order"),
            "forty_in_window": (
                "las veinte retrasan las cuarenta",
                "a twenty first puts the forty off",
            ),
            "forty_in_deal": ("las veinte pierden las cuarenta", "a twenty first loses the forty"),
            "forty_alone": ("con las dos, solo las cuarenta", "with both, the forty alone"),
            "forty_first": ("las cuarenta, antes", "the forty first"),
        },
    ),
    "omitted_is_lost": (
        ("Callar pierde el cante", "Silence loses it"),
        {"True": YES_NO["yes"], "False": YES_NO["no"]},
    ),
    "tute_ranks": (
        ("Tute", "Tute"),
        {
            "": ("no hay", "none"),
            "R": ("de reyes", "kings"),
            "RC": ("de reyes o de caballos", "kings or knights"),
        },
    ),
    "race_to": (
        ("Gana", "Won by"),
        {
            "0": ("quien hace más tantos", "most points"),
            "101": ("el primero en 101", "first to 101"),
        },
    ),
    "target": (
        ("Partida", "Match"),
        {"3": ("a 3 manos ganadas", "to 3 hands won"), "1": ("a un juego", "to 1 game")},
    ),
}

TEXTS: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        **{f"rule.{number}": text for number, text in {**CHAPTERS, **RULES}.items()},
        **{f"rules.{row}": named for row, (named, _cells) in ROWS.items()},
        **{
            f"rules.{row}.{cell}": text
            for row, (_named, cells) in ROWS.items()
            for cell, text in cells.items()
        },
    }
)
