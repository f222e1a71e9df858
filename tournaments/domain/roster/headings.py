"""Recognises what a column of a list holds by its heading: Spanish, English, German, Catalan.

>>> [field_of(heading) for heading in ("Jugador 1", "2nd player", "Name des Spielers", "Teléfono")]
['first', 'second', 'person', '']
"""

import re
from collections.abc import Sequence
from typing import Final

from tournaments.domain.names import fold_name, without_accents


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# In lower case and without accents, as `tokens_of` returns them.
PERSON: Final = _words(
    "jugador jugadora jugadores jugadoras persona personas participante participantes integrante"
    " integrantes componente componentes miembro miembros socio socia titular inscrito inscrita"
    " jugadors inscrit soci"
    " player players person people participant participants member members"
    " spieler spielers spielerin spielerinnen teilnehmer teilnehmerin mitglied mitglieder"
    " xogador xogadora xogadores xogadoras jokalari jokalaria jokalariak partaide partaidea"
    " jogador jogadora jogadores joueur joueuse joueurs giocatore giocatrice giocatori"
)
NAME: Final = _words(
    "nombre nombres name names namen vorname vornamen firstname nom noms nome"
    " nomes izena izenak prenom prenoms nomi"
)
SURNAME: Final = _words(
    "apellido apellidos surname surnames lastname nachname nachnamen familienname cognom cognoms"
    " apelido apelidos abizena abizenak sobrenome sobrenomes cognome cognomi"
)
PAIR_WORDS: Final = _words(
    "pareja parejas pair pairs paar paare paars paares equipo team mannschaft"
    " parella parelles equip parellas equipo bikote bikotea bikoteak talde taldea dupla duplas"
    " equipa equipe paire paires coppia coppie squadra"
)
PARTNER: Final = _words(
    "companero companera partner partnerin companya"
    " companeiro companeira bikotekidea compagno compagna parceiro parceira"
)
CLUB: Final = _words(
    "club clubs pena sociedad asociacion entidad procedencia origen society association origin"
    " verein vereine herkunft penya kluba elkartea elkarte clube sociedade procedencia orixe"
)
RATING: Final = _words(
    "rating ratings nivel puntuacion valoracion elo wertung wertungszahl spielstarke puntuacio"
)
FIRST: Final = _words(
    "1 uno primer primero primera first one erster erste erstes eins primeiro"
    " primeira lehen lehena lehenengo primer premier premiere"
)
SECOND: Final = _words(
    "2 dos segundo segunda second two zweiter zweite zweites zwei segon segona"
    " bigarren bigarrena secondo deuxieme"
)
NUMBER: Final = _words("n no num numero nr nummer number zk zenbakia orde ordre")
PLACES: Final = _words(
    "mesa mesas tabla table tables tisch tische tafel taula taules mahai mahaia grupo grupos grup"
    " group gruppe talde taldea turno torn zona serie puesto dorsal sitio lugar"
)
"""What stands with a number before the names of those who sit there."""
_FILLERS: Final = NUMBER | _words(
    "de del la el los las y e and und of the des der die er o a st nd completo completa full propio"
    " own tu su your s i capitan e eta do da dos das du et zure"
)
_KNOWN: Final = frozenset().union(
    PERSON, NAME, SURNAME, PAIR_WORDS, PARTNER, CLUB, RATING, FIRST, SECOND, _FILLERS
)
_TITLE: Final = (
    PERSON
    | PAIR_WORDS
    | _words(
        "torneo campeonato lista listado inscritos inscripcion inscripciones apuntados tute liga"
        " copa trofeo llista llistat campionat torneig lliga apuntats concurso relacion"
        " participacion zerrenda txapelketa inscripcions tournament list entries entrants"
        " registered turnier liste meldungen anmeldungen"
    )
)
_BEFORE_TITLE: Final = _words(
    "i ii iii iv v vi vii viii ix x xi xii el la los las gran the der die"
)
_TOTAL: Final = _words("total totales totals suma summe gesamt")
_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+")
_GENDER: Final = re.compile(r"[/(]\s*(?:as?|os?|in|innen)\b\)?")  # Jugador/a, Spieler(in)
_ENGLISH_NAMES: Final = re.compile(r"\b(first|last) (?=name\b)")  # "first" is no seat there


def tokens_of(text: str) -> list[str]:
    """Return the words and numbers of a text without case and accents."""
    return _TOKEN.findall(without_accents(fold_name(text)))


def field_of(heading: str) -> str:
    """Return what a heading names, or an empty text.

    ``person`` and ``surname`` do not say whose; ``name`` is a name of a person or of a pair.
    """
    words = tokens_of(_ENGLISH_NAMES.sub(r"\1", _GENDER.sub(" ", fold_name(heading))))
    letters = {"a": "1", "b": "2", "i": "1", "ii": "2"}  # Jugador A, Jugador II
    if len(words) > 1 and words[-1] in letters:
        words[-1] = letters[words[-1]]
    found = {"jugador" if word == "j" and len(words) == 2 else word for word in words}  # J1, J2
    if not found or not found <= _KNOWN:
        return ""
    seat = "first" if found & FIRST else "second" if found & SECOND else ""
    for kind, field in ((CLUB, "club"), (RATING, "rating"), (PARTNER, "second")):
        if found & kind:
            return field
    if found & PAIR_WORDS:
        return "person" if found & PERSON else "pair"
    if found & SURNAME and not found & (NAME | PERSON):
        return f"{seat}_surname" if seat else "surname"
    if found & PERSON or found & SURNAME:
        return seat or "person"
    if found & NAME:
        return seat or "name"
    return ""


def is_number_heading(heading: str) -> bool:
    """Tell whether a heading is that of numbers that count the rows, or missing."""
    return not heading.strip(" #.ºª°") or set(tokens_of(heading)) <= NUMBER


def is_heading(cells: Sequence[str]) -> bool:
    """Tell whether a row names people or pairs in one cell at least."""
    return any(field_of(cell) not in {"", "club", "rating"} for cell in cells)


def count_headings(cells: Sequence[str]) -> int:
    """Return how many cells of a row are known headings."""
    return sum(bool(field_of(cell)) for cell in cells)


def is_title(line: str) -> bool:
    """Tell whether a line above a list is its title: it says so, or it ends with a colon."""
    return line.rstrip(" *_").endswith(":") or not _TITLE.isdisjoint(tokens_of(line))


def begins_as_title(line: str) -> bool:
    """Tell whether the first word of a line, after its number, is that of a title.

    >>> [begins_as_title(text) for text in ("IV Torneo de tute, Zuera", "Toni Bel y pareja")]
    [True, False]
    """
    words = (word for word in tokens_of(line) if not (word.isdigit() or word in _BEFORE_TITLE))
    return next(words, "") in _TITLE


def is_total(text: str) -> bool:
    """Tell whether a text is the sum below a list.

    >>> [is_total(text) for text in ("TOTAL", "Total: 12 parejas", "Ana Suma")]
    [True, True, False]
    """
    words = {word for word in tokens_of(text) if not word.isdigit()}
    return not _TOTAL.isdisjoint(words) and words <= _TOTAL | PAIR_WORDS | PERSON


def is_number_of_pair(text: str) -> bool:
    """Tell whether a text numbers a pair and is not its name.

    >>> [is_number_of_pair(text) for text in ("7", "Pareja 7", "Nº 3", "B", "Los 7", "JJ")]
    [True, True, True, True, False, False]
    """
    return all(
        len(token) == 1 or token.isdigit() or token in PAIR_WORDS | NUMBER | PLACES
        for token in tokens_of(text)
    )
