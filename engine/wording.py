"""Faults and notices in words: the one place where the engine speaks a language.

The core answers with codes and facts; here they become a sentence in English (``en``), Spanish
(``es``) or German (``de``), whose words are in :mod:`engine.wording_german`. Cards and seats stay
as they are written in records.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine import wording_german as german
from engine.errors import Fault, Hint

LANGUAGES: Final = ("en", "es", "de")

_Sentence = tuple[str, str, str]


def _with(third: Mapping[str, str], both: Mapping[str, tuple[str, str]]) -> Mapping[str, _Sentence]:
    """Put the German beside the English and the Spanish of each key."""
    return {key: (*pair, third[key]) for key, pair in both.items()}


_SENTENCES: Final = _with(
    german.SENTENCES,
    {
        "record.syntax": (
            "this is not {notation}: {reason}{where}",
            "esto no es {notation}: {reason}{where}",
        ),
        "record.format": (
            'a record is one JSON object with "format": "baza/1"',
            'un acta es un objeto JSON con "format": "baza/1"',
        ),
        "record.ruleset": (
            "unknown ruleset {found}; known: {known}",
            "reglamento desconocido {found}; se conocen: {known}",
        ),
        "record.option": ("{place}: {reason}", "{place}: {reason}"),
        "record.seats": (
            "{expected} seats with a name each are needed: {reason}",
            "hacen falta {expected} asientos, cada uno con su nombre: {reason}",
        ),
        "record.field": ("{place}: {reason}", "{place}: {reason}"),
        "record.limit": (
            "{place}: more than the {limit} {what} that a record may have",
            "{place}: más de los {limit} {what} que admite un acta",
        ),
        "deal.card": ("no such card: {cards}", "no hay tal carta: {cards}"),
        "deal.duplicate": (
            "dealt twice: {cards}{missing}",
            "repartidas dos veces: {cards}{missing}",
        ),
        "deal.missing": ("not dealt to anybody: {cards}", "no están en ninguna mano: {cards}"),
        "deal.size": (
            "{sizes}; it should be {expected}",
            "{sizes}; deberían ser {expected}",
        ),
        "deal.trump": (
            "{card} shows trumps but does not lie where it should: {shown}",
            "{card} pinta el triunfo, pero no está donde debe: {shown}",
        ),
        "deal.dealer": (
            "it is the turn of {expected} to deal, not of {found}",
            "le toca repartir a {expected}, no a {found}",
        ),
        "play.token": ("{text!r} is no card and no call", "{text!r} no es una carta ni un canto"),
        "play.not_held": (
            "{seat} does not hold {card}; may play {legal}",
            "{seat} no tiene {card}; puede jugar {legal}",
        ),
        "play.must_follow": (
            "{seat} played {card} but must follow {led}: {legal}",
            "{seat} jugó {card}, pero debe asistir a {led}: {legal}",
        ),
        "play.must_head": (
            "{seat} played {card} but must beat {best}: {legal}",
            "{seat} jugó {card}, pero debe montar sobre {best}: {legal}",
        ),
        "play.must_trump": (
            "{seat} played {card} but must trump: {legal}",
            "{seat} jugó {card}, pero debe fallar: {legal}",
        ),
        "play.must_overtrump": (
            "{seat} played {card} but must overtrump {best}: {legal}",
            "{seat} jugó {card}, pero debe pisar {best}: {legal}",
        ),
        "play.incomplete": (
            "the play stops here; {seat} is to play {legal}",
            "el juego se corta aquí; a {seat} le toca jugar {legal}",
        ),
        "play.leader": (
            "{stated} is written as the leader, but {replayed} leads here",
            "consta que sale {stated}, pero aquí sale {replayed}",
        ),
        "play.after_end": (
            "the hand is over, yet {text!r} follows",
            "la mano ha terminado y aún sigue {text!r}",
        ),
        "declare.not_held": (
            "{seat} does not hold the cards of {declaration}",
            "{seat} no tiene las cartas de {declaration}",
        ),
        "declare.window": (
            "{declaration} comes at the wrong moment",
            "{declaration} llega fuera de su momento",
        ),
        "declare.repeated": (
            "{declaration} was already declared",
            "{declaration} ya se había cantado",
        ),
        "declare.order": (
            "{declaration} may not be declared now: something else comes first",
            "{declaration} no se puede cantar ahora: hay otro canto que va antes",
        ),
        "declare.limit": (
            "{seat} has already declared after this trick",
            "{seat} ya ha cantado en esta baza",
        ),
        "declare.forfeited": (
            "{declaration} was not declared in time and is lost",
            "{declaration} no se cantó a tiempo y se ha perdido",
        ),
        "declare.not_admitted": (
            "{declaration} does not exist under these rules",
            "{declaration} no existe con este reglamento",
        ),
        "exchange.not_admitted": (
            "{declaration}: these rules know no exchange",
            "{declaration}: con este reglamento no se cambia",
        ),
        "exchange.window": (
            "{declaration}: the exchange is no longer possible",
            "{declaration}: ya no se puede cambiar",
        ),
        "exchange.no_trick": (
            "{declaration}: {seat} must have won a trick to exchange",
            "{declaration}: para cambiar, {seat} ha de haber ganado una baza",
        ),
        "exchange.not_held": (
            "{declaration}: {seat} does not hold that trump",
            "{declaration}: {seat} no tiene ese triunfo",
        ),
        "exchange.upcard": (
            "{declaration}: the upcard is not one that it is exchanged for",
            "{declaration}: la carta vista no es de las que se cambian por ella",
        ),
        "claim.window": (
            "{declaration} comes at the wrong moment",
            "{declaration} llega fuera de su momento",
        ),
        "claim.not_admitted": (
            "{declaration}: these rules know no such claim",
            "{declaration}: este reglamento no lo admite",
        ),
        "support.not_admitted": (
            "{declaration}: these rules know no plate",
            "{declaration}: con este reglamento no hay plato",
        ),
        "support.window": (
            "it is for {seat} to say, in turn and before the first lead, whether he supports",
            "a {seat} le toca decir, por turno y antes de la salida, si va o pasa",
        ),
        "score.points": (
            "the record states {stated}, the replay gives {replayed}",
            "el acta dice {stated}, la repetición da {replayed}",
        ),
        "score.winner": (
            "the record gives the hand to {stated}, but {replayed} won it",
            "el acta da la mano a {stated}, pero la ganó {replayed}",
        ),
        "score.match": (
            "the record states {stated} for the match, the hands give {replayed}",
            "el acta dice {stated} en la partida, las manos dan {replayed}",
        ),
        "score.impossible": (
            "no play can give {stated}",
            "ningún juego puede dar {stated}",
        ),
        "declare.not_admitted/four_twenties": (
            "four twenties cannot be: the couple of trumps is the forty",
            "no puede haber cuatro veintes: la pareja de triunfo son las cuarenta",
        ),
        "score.points/sum": (
            "the sides have {found} together; with what was declared a hand gives {sums}",
            "entre los bandos suman {found}; con lo cantado, una mano da {sums}",
        ),
        "score.impossible/no_cards": (
            "no distribution of the cards gives {stated}, with what was declared and the last ten",
            "ningún reparto de las cartas da {stated}, con lo cantado y las diez de últimas",
        ),
        "match.over": (
            "the match was already decided before this hand",
            "la partida ya estaba decidida antes de esta mano",
        ),
        "declare.omitted": (
            "{seat} could have declared {declaration} and has lost it",
            "{seat} pudo cantar {declaration} y lo ha perdido",
        ),
        "match.unfinished": (
            "the match is not decided yet: {score}",
            "la partida aún no está decidida: {score}",
        ),
        "claim.missing": (
            "nobody claimed; {seat} was the first to get there and wins",
            "nadie pidió; gana {seat}, que llegó antes",
        ),
        "hand.unaudited": (
            "only the result of this hand was recorded; its play cannot be audited",
            "de esta mano solo consta el resultado; su juego no se puede auditar",
        ),
    },
)
"""English, then Spanish, then German."""

_HINTS: Final = _with(
    german.HINTS,
    {
        "swap": (
            "{first} and {second} may have changed places (tokens {tokens})",
            "puede que {first} y {second} estén cambiadas de sitio (jugadas {tokens})",
        ),
        "card": (
            "{found} may be {write}, misread (token {tokens})",
            "{found} puede ser {write}, mal leída (jugada {tokens})",
        ),
        "call": (
            "{found} may be {write}, misread (token {tokens})",
            "{found} puede ser {write}, mal leído (jugada {tokens})",
        ),
        "missing": (
            "{write} may have been left out (before token {tokens}{also})",
            "puede que falte {write} (antes de la jugada {tokens}{also})",
        ),
        "superfluous": (
            "{found} may be one too many (token {tokens})",
            "puede que sobre {found} (jugada {tokens})",
        ),
        "moved": (
            "{found} may have come at another moment (token {place}{also}, not {origin})",
            "puede que {found} llegara en otro momento (jugada {place}{also}, no {origin})",
        ),
        "trump": (
            "{write}{also} may have shown trumps, not {found}",
            "puede que pintara {write}{also}, no {found}",
        ),
        "dealer": (
            "{write}, not {found}, may have dealt",
            "puede que repartiera {write}, no {found}",
        ),
        "deal": (
            "among the cards of {seats}, {found} may be {write}",
            "entre las cartas de {seats}, {found} puede ser {write}",
        ),
        "deal_missing": (
            "{write} may have been left out of the cards of {seats}",
            "puede que falte {write} entre las cartas de {seats}",
        ),
        "deal_superfluous": (
            "{found} may be one too many among the cards of {seats}",
            "puede que sobre {found} entre las cartas de {seats}",
        ),
        "deal_moved": (
            "{found}, noted for {origin}, may have been dealt to {place}",
            "puede que {found}, anotada a {origin}, se repartiera a {place}",
        ),
        "deal_swap": (
            "{found}, noted for {origin}, and {write}, noted for {place}, may have changed places",
            "puede que {found}, anotada a {origin}, y {write}, a {place}, estén cambiadas",
        ),
        "points": (
            "the points may be miscounted: the replay gives {write}",
            "puede que estén mal contados los tantos: la repetición da {write}",
        ),
        "winner": (
            "the hand may have been given to the wrong side: {write} won it",
            "puede que se diera la mano al bando equivocado: la ganó {write}",
        ),
        "payments": (
            "the payments may be miscounted: the replay gives {write}",
            "puede que estén mal contados los pagos: la repetición da {write}",
        ),
    },
)
"""What may have happened at the table, in each language."""

_WHERE: Final = _with(german.WHERE, {"stock": ("the stock", "la baceta")})

_EXPLAINED: Final = _with(
    german.EXPLAINED,
    {
        "points too": ("; then the stated result is true too", "; así también cuadra el resultado"),
        "winner too": ("; then the stated winner is true too", "; así también cuadra el ganador"),
        "play": ("", ""),
    },
)

_REASONS: Final = _with(
    german.REASONS,
    {
        "malformed_json": ("{detail}", "no se entiende"),
        "duplicate_key": ("{detail}", "una clave está dos veces en un objeto: {detail}"),
        "bad_number": ("{detail}", "un número que no es de JSON: {detail}"),
        "bad_encoding": (
            "save it as UTF-8 without a byte order mark",
            "hay que guardarlo en UTF-8 sin marca de orden",
        ),
        "no_format": (
            'a record begins with [Format "baza/1"]',
            'un acta empieza con [Format "baza/1"]',
        ),
        "no_record": ("there is no record", "no hay ningún acta"),
        "many_records": ("there is more than one record", "hay más de un acta"),
        "bad_tag": ('a tag is written [Name "value"]', 'una etiqueta se escribe [Nombre "valor"]'),
        "open_quote": ("the quote is not closed", "faltan las comillas de cierre"),
        "bad_escape": ("no such escape", "no hay tal secuencia de escape"),
        "twice": ("{found} stands twice", "{found} está dos veces"),
        "nothing_to_inherit": (
            "# has no value above to take over",
            "# no tiene arriba ningún valor que heredar",
        ),
        "late_tag": (
            "a tag stands above the hands of its record",
            "las etiquetas van antes de las manos del acta",
        ),
        "seat_gap": ("a seat before this one is missing", "falta un asiento anterior a este"),
        "bad_option": (
            "an option is written name=value, not {found}",
            "una opción se escribe nombre=valor, no {found}",
        ),
        "no_dealer": (
            "a hand begins with its dealer",
            "una mano empieza con dealer, quien reparte",
        ),
        "unknown_line": ("no line begins with {found}", "ninguna línea empieza con {found}"),
        "one_word": ("{found} takes one word", "{found} lleva una palabra"),
        "bad_pairs": (
            "sides and whole numbers are needed: AC 80 BD 50",
            "hacen falta bandos y números enteros: AC 80 BD 50",
        ),
        "empty_trick": ("a leader without a card", "quien sale no lleva carta"),
        "play_and_none": (
            "* says that no play was noted, and there is one",
            "* dice que no consta el juego, y lo hay",
        ),
        "blank_in_word": (
            "a card or a token is one word",
            "una carta o una jugada es una sola palabra",
        ),
        "missing": ("is missing", "falta"),
        "wrong_type": ("is of the wrong type", "es de un tipo equivocado"),
        "unknown_field": ("is not a field of a record", "no es un campo de un acta"),
        "unknown_option": (
            "is not an option of this ruleset",
            "no es una opción de este reglamento",
        ),
        "contradiction": ("to and deals exclude each other", "to y deals se excluyen"),
        "wrong_number": ("there are {found}", "hay {found}"),
        "wrong_seat": ("is not a seat of this table", "no es un asiento de esta mesa"),
        "wrong_side": ("is not a side of this table", "no es un bando de esta mesa"),
        "malformed_csv": ("the columns cannot be told apart", "no se distinguen las columnas"),
        "unknown_column": ("is not a column of this sheet", "no es una columna de esta hoja"),
        "too_many_cells": (
            "has more cells than the first line",
            "tiene más casillas que la primera línea",
        ),
        "unknown_declaration": (
            "holds something that is not declared",
            "contiene algo que no se canta",
        ),
        "bad_character": (
            "holds an invisible or control character",
            "contiene un carácter invisible o de control",
        ),
    },
)

_SHOWN: Final = _with(
    german.SHOWN,
    {
        "dealer": ("in the hand of the dealer", "en la mano de quien reparte"),
        "stock": ("last in the stock", "la última de la baceta"),
        "aside": ("aside, in no hand", "aparte, en ninguna mano"),
    },
)

_WHAT: Final = _with(
    german.WHAT,
    {
        "bytes": ("bytes", "bytes"),
        "depth": ("levels of nesting", "niveles de anidamiento"),
        "hands": ("hands", "manos"),
        "tokens": ("tokens in a hand", "jugadas en una mano"),
        "characters": ("characters in a text", "caracteres en un texto"),
    },
)


_OR: Final = ("or", "o", "oder")

_LINE_AND_COLUMN: Final = (("line", "column"), ("línea", "columna"), ("Zeile", "Spalte"))


def explain(fault: Fault, language: str = "en") -> str:
    """One sentence about a fault or a notice.

    Raises ``ValueError`` for a language other than :data:`LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise ValueError(f"no words in {language!r}; there are {', '.join(LANGUAGES)}")
    index = LANGUAGES.index(language)
    finer = f"{fault.code}/{fault.facts.get('reason')}"
    sentence = _SENTENCES[finer if finer in _SENTENCES else fault.code][index]
    sentence = sentence.format_map(_words(fault, index))
    return sentence[:1].upper() + sentence[1:]


def explain_hint(hint: Hint, language: str = "en") -> str:
    """One sentence about a repair that would mend a hand.

    Raises ``ValueError`` for a language other than :data:`LANGUAGES`.
    """
    if language not in LANGUAGES:
        raise ValueError(f"no words in {language!r}; there are {', '.join(LANGUAGES)}")
    index = LANGUAGES.index(language)
    or_else = _OR[index]
    pair = hint.found if isinstance(hint.found, tuple) else ("", "")
    places = [_WHERE.get(seat, (seat,) * 3)[index] for seat in hint.seats] or hint.tokens or [""]
    words = {
        "first": pair[0],
        "second": pair[1],
        "origin": places[0],
        "place": places[-1],
        "found": _totals(hint.found, index),
        "write": _totals(hint.write, index),
        "seats": places[0],
        "tokens": ", ".join(map(str, hint.tokens)),
        "also": "".join(f" {or_else} {other}" for other in hint.also),
    }
    sentence = _HINTS[hint.kind][index].format_map(words)
    explained = _EXPLAINED[hint.explains][index]
    return sentence[:1].upper() + sentence[1:] + explained


def _words(fault: Fault, index: int) -> dict[str, Any]:
    facts = fault.facts
    words: dict[str, Any] = {
        "seat": fault.seat,
        "card": fault.card,
        "declaration": fault.declaration,
        "place": fault.path or "/",
        "legal": _any_of(fault.legal, index),
        "expected": "",
        "found": "",
        "notation": "JSON",
    }
    for name, value in facts.items():
        words[name] = _FACTS.get(name, _as_is)(value, index)
    if "reason" in facts:
        reason = _REASONS.get(facts["reason"], (facts["reason"],) * 3)[index]
        words["reason"] = reason.format_map(words)
    words["where"] = _where(facts, index)
    return words


def _as_is(value: Any, _index: int) -> Any:
    return value


def _any_of(cards: tuple[str, ...], index: int) -> str:
    if not cards:
        return "–"
    if len(cards) == 1:
        return cards[0]
    return f"{', '.join(cards[:-1])} {_OR[index]} {cards[-1]}"


def _listed(cards: list[str], _index: int) -> str:
    return ", ".join(cards)


def _missing(cards: list[str], index: int) -> str:
    return f"; {('missing', 'falta', 'es fehlt')[index]}: {', '.join(cards)}" if cards else ""


def _sizes(sizes: Mapping[str, int], index: int) -> str:
    return ", ".join(f"{seat} {('has', 'tiene', 'hat')[index]} {n}" for seat, n in sizes.items())


def _expected(expected: Any, _index: int) -> Any:
    return ", ".join(map(str, expected.values())) if isinstance(expected, Mapping) else expected


def _shown(value: str, index: int) -> str:
    return _SHOWN[value][index]


def _totals(value: Any, index: int) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{side} {points}" for side, points in value.items())
    return ("nobody", "nadie", "niemand")[index] if value is None else str(value)


def _sums(sums: list[int], index: int) -> str:
    return _any_of(tuple(map(str, sums)), index)


def _what(value: str, index: int) -> str:
    return _WHAT[value][index]


def _where(facts: Mapping[str, Any], index: int) -> str:
    if facts.get("column") is None:
        return ""
    line, column = _LINE_AND_COLUMN[index]
    return f" ({line} {facts['line']}, {column} {facts['column']})"


_FACTS: Final[Mapping[str, Callable[[Any, int], Any]]] = {
    "cards": _listed,
    "missing": _missing,
    "sizes": _sizes,
    "expected": _expected,
    "shown": _shown,
    "stated": _totals,
    "sums": _sums,
    "replayed": _totals,
    "score": _totals,
    "what": _what,
}
