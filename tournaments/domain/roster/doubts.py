"""Doubts about what was read of a list: labels that are no names, names unlike the others."""

import re
from collections.abc import Iterable, Sequence
from typing import Final

from tournaments.domain.names import fold_name
from tournaments.domain.person_names import STATES, is_state, plain_words
from tournaments.domain.roster.checks import is_given, is_number
from tournaments.domain.roster.headings import is_number_of_pair
from tournaments.domain.roster.plain import holds_two


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TIMES: Final = _words(
    "lunes martes miercoles jueves viernes sabado sabados domingo manana tarde noche hoy ayer"
    " dilluns dimarts dimecres dijous divendres dissabte diumenge dema avui astelehena asteartea"
    " asteazkena osteguna ostirala larunbata igandea luns venres mere mercores xoves hoxe monday"
    " tuesday wednesday thursday friday saturday sunday tomorrow today tonight montag dienstag"
    " mittwoch donnerstag freitag samstag sonnabend sonntag morgen heute abends enero febrero"
    " marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre h hora horas"
    " uhr"
)
_NOTES: Final = _words(
    "nota notas ojo aviso avisos pd ps p d nb importante organiza organizan organizador"
    " organizadores organizacion arbitro arbitra arbitros arbitran arbitraje juez jueces"
    " responsable responsables director contacto contactos telefono telefonos tel llamar avisar"
    " apuntarse inscripcion inscripciones inscrits precio precios cuota cuotas premio premios"
    " lugar sede fecha fechas hora horario total totales suma parejas jugadores apuntados"
    " apuntadas inscritos lista ganador ganadores ganan campeon campeona campeones campeonas"
    " subcampeon subcampeones finalistas finalista ganadoras winners winner champions note notes"
    " nb organiser organisers referee contact price prize prizes place date time hinweis"
    " veranstalter schiedsrichter sieger preis ort datum uhrzeit kontakt arbitre arbitres"
    " organitza organitzen guanyadors campions premis lloc hola saludos gracias desde de para"
    " pago pagos bizum iban"
)
_DIGITS: Final = re.compile(r"\d+")
MARKS_OF_MISREAD: Final = "ÃÂ"
"""What is left of letters that were decoded wrongly and lost a byte: “Ãngel”."""

_PHRASES: Final = tuple(phrase for phrase in STATES if " " in phrase and len(phrase) > 6)
_PARTICLES: Final = _words(
    "de del dels dell della delle dalla degli da do dos das la las los les el als von van vom"
    " zum zur und den der ter ten bin ibn abu ould saint santa santo y i e"
)


def is_doubtful_label(label: str) -> bool:
    """Tell whether what stands before the names of a pair is a remark rather than its name.

    >>> [is_doubtful_label(text) for text in ("Reserva", "Sábado 14", "Los 4 Ases", "Mesa 3")]
    [True, True, False, False]
    """
    if is_number_of_pair(label):
        return False
    words = [word for word in plain_words(label).split() if not word.isdigit()]
    return (
        not words or is_state_label(label) or not {*words}.isdisjoint(_TIMES) or words[0] in _NOTES
    )


def is_state_label(text: str) -> bool:
    """Tell whether a text is a state with a number at most: “Reservas (3)”, “NO VIENEN”."""
    return is_state(_DIGITS.sub(" ", text))


def is_unlike(name: str) -> bool:
    """Tell whether the letters of a name mix what stands in names and what stands in remarks.

    >>> [is_unlike(name) for name in ("Ana Gil viene", "Ana BAJA", "ana gil", "Ana de la Vega")]
    [True, True, False, False]
    """
    words = [word for word in re.findall(r"[^\W\d_]+", name) if len(word) > 2]
    capital = [word for word in words if word[0].isupper() and not word.isupper()]
    small = [word for word in words if word.islower() and word not in _PARTICLES]
    large = [word for word in words if word.isupper()]
    is_remark = any(len(word) > 3 for word in small) and bool(capital or large)
    return is_remark or bool(large and capital) or _has_phrase(name)


_REQUEST: Final = re.compile(
    r"(?:nos )?(?:apunt|anot|inscrib|confirm|quit|borr|tach|cambi|anad)[a-z]+ "
    r"|(?:somos|vamos|falta|faltan|baja de|bajas de|alta de|poned|ponme|ponnos|mete|meted) "
)
"""What a message begins with that asks for a place or gives one back."""


def _has_phrase(name: str) -> bool:
    """Tell whether a name begins or ends with a state of several words: “Ana no viene”."""
    words = plain_words(name)
    if _REQUEST.match(words):
        return True
    return any(
        words.endswith(f" {phrase}") or words.startswith(f"{phrase} ") for phrase in _PHRASES
    )


def are_unlike(names: Sequence[str]) -> frozenset[str]:
    """Return the names of a list that are unlike the others; none where most are of that kind."""
    unlike = [name for name in names if is_unlike(name)]
    few = 2 * len(unlike) <= len(names)
    return frozenset(name for name in unlike if few or _has_phrase(name))


def are_no_persons(cells: Iterable[str]) -> bool:
    """Tell whether the cells of one person are, in most lines, two names or numbers, or all alike.

    >>> are_no_persons(["Ana y Luis", "Eva y Pau"]), are_no_persons(["12", "7"])
    (True, True)
    >>> are_no_persons(["ESP", "ESP", "ESP"]), are_no_persons(["Ana Gil", "Eva Mur"])
    (True, False)
    """
    given = [cell for cell in cells if is_given(cell)]
    none = sum(holds_two(cell) or is_number(cell) for cell in given)
    is_one = len(given) > 2 and len({fold_name(cell) for cell in given}) == 1
    return 2 * none > len(given) or is_one
