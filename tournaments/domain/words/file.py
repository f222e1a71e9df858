"""What is wrong with a tournament file or a report, where, and what was expected there."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

ERRORS: Final = {
    "bad_json": ("no es JSON: {detail}", "not JSON: {detail}"),
    "too_large": ("pasa de {most} bytes", "larger than {most} bytes"),
    "wrong_type": ("debe ser {expected}; pone {found}", "must be {expected}; it says {found}"),
    "out_of_range": (
        "debe estar entre {least} y {most}; pone {found}",
        "must be between {least} and {most}; it says {found}",
    ),
    "too_long": (
        "tiene {found} caracteres y caben {most}",
        "has {found} characters; {most} at most",
    ),
    "wrong_length": (
        "debe tener entre {least} y {most} elementos; tiene {found}",
        "must have between {least} and {most} items; it has {found}",
    ),
    "unknown_choice": (
        "«{found}» no vale; valen: {choices}",
        "{found!r} is not one of: {choices}",
    ),
    "unknown_field": (
        "no hay ningún campo «{found}» aquí; hay: {choices}",
        "there is no field {found!r} here; there are: {choices}",
    ),
    "missing_field": ("falta el campo «{field}»", "the field {field!r} is missing"),
    "twice": ("{found} está dos veces", "{found} stands twice"),
    "unknown_entrant": (
        "no participa nadie con el número {found}",
        "nobody has the number {found}",
    ),
    "unknown_stage": (
        "no hay ninguna fase anterior con el número {found}",
        "no earlier stage has the number {found}",
    ),
    "unknown_round": ("no hay ronda {found}", "there is no round {found}"),
    "out_of_order": ("{found} no va detrás de {after}", "{found} does not come after {after}"),
    "seated_twice": (
        "el {found} está en dos sitios en la misma ronda",
        "{found} sits at two places in the same round",
    ),
    "bye_alone": (
        "quien descansa está solo en su mesa, y nadie más; hay {sides} bandos",
        "who has a bye sits alone, and nobody else does; there are {sides} sides",
    ),
    "bye_without_marks": (
        "un descanso no tiene resultado: lo que vale lo dice la escala",
        "a bye has no result of its own: the scale says what it is worth",
    ),
    "one_a_side": (
        "debe haber uno por bando: hay {found} y {sides} bandos",
        "must have one a side: there are {found} for {sides} sides",
    ),
    "one_a_board": (
        "debe haber uno por reparto: hay {found} y {boards} repartos",
        "must have one a board: there are {found} for {boards} boards",
    ),
    "no_such_side": (
        "no hay bando {found}: se cuentan desde 0 y hay {sides}",
        "there is no side {found}: they count from 0, and there are {sides}",
    ),
    "bad_line": ("no se entiende: {found}", "cannot be read: {found}"),
    "no_players": ("no tiene jugadores (001)", "has no players (001)"),
    "not_mutual": (
        "el {entrant} dice que jugó contra el {opponent} y este no dice lo mismo",
        "{entrant} says that he met {opponent}, who does not say the same",
    ),
    "bad_row": ("la fila no puede ser así: {detail}", "the row cannot be like this: {detail}"),
    "unknown_row": (
        "en la lista «{list}» no hay ninguna fila {found}",
        "the list {list!r} has no row {found}",
    ),
    "contradicts": (
        "no concuerda con lo demás: debería ser {expected_value}, y pone {found}",
        "does not agree with the rest: it should be {expected_value}; it says {found}",
    ),
    "name_of_another": (
        "el código «{found}» es de otra persona o pareja de este club",
        "the code {found!r} is somebody else's in this club",
    ),
    "other_people": (
        "en este club «{found}» son otros dos",
        "in this club {found!r} are two other people",
    ),
    "not_alone": (
        "un TRF lleva una sola fase; esta es la {found}",
        "a TRF holds a single stage; this is number {found}",
    ),
    "no_such_bye": (
        "un TRF no tiene cómo escribirlo: {found}",
        "a TRF has no way to write it: {found}",
    ),
    "not_two_sides": (
        "un TRF solo tiene encuentros de dos; en esta mesa hay {found}",
        "a TRF has meetings of two only; at this table there are {found}",
    ),
}

EXPECTED: Final = {
    "integer": ("un número entero", "a whole number"),
    "number": ("un número", "a number"),
    "points": ('un número exacto: 2, 0.5 o "1/2"', 'an exact number: 2, 0.5 or "1/2"'),
    "boolean": ("true o false", "true or false"),
    "text": ("un texto", "a text"),
    "list": ("una lista", "a list"),
    "moment": ("una hora con su zona, ISO 8601", "a time with its zone, ISO 8601"),
    "decimal": ('un número decimal entre comillas: "1.50"', 'a decimal in quotes: "1.50"'),
    "object": ("un objeto", "an object"),
    "number_key": ('un número entre comillas: "4"', 'a number in quotes: "4"'),
    "seed": ("bytes en hexadecimal, en minúsculas", "whole bytes in lower-case hexadecimal"),
    "digest": ("«sha256:» y 64 cifras hexadecimales", "sha256: and 64 hexadecimal digits"),
}

LOST: Final = {
    "hands": (
        "un TRF no lleva las manos: solo quién ganó",
        "a TRF does not hold hands, only who won",
    ),
    "points": ("un TRF no lleva los tantos", "a TRF does not hold points made"),
    "boards": ("un TRF no lleva los repartos", "a TRF does not hold deals"),
    "players": (
        "un TRF no lleva a los dos de cada pareja: solo su nombre",
        "a TRF does not hold the members of a pair, only its name",
    ),
    "clubs": ("un TRF no lleva los clubes", "a TRF does not hold clubs"),
    "names": (
        "los nombres largos se han cortado a 33 letras",
        "long names were cut to 33 characters",
    ),
    "penalties": (
        "un TRF no lleva sanciones en manos ni en tantos",
        "a TRF does not hold penalties in hands or points",
    ),
    "stages": ("un TRF lleva una sola fase", "a TRF holds a single stage"),
    "seed": (
        "un TRF no lleva la semilla: los sorteos no se podrán repetir",
        "a TRF does not hold the seed: the draws cannot be repeated from it",
    ),
}

TEXTS: Final = MappingProxyType(
    {f"file.lost.{code}": text for code, text in LOST.items()}
    | {f"file.{code}": text for code, text in ERRORS.items()}
    | {f"file.expected.{code}": text for code, text in EXPECTED.items()}
)
