"""Judges whether a text is the name of a person: before a player is made or renamed.

Some texts are refused: names hold no telephone number, e-mail or web address, and no amount of
money. Others are asked about, since they may be names all the same. A word within a name is never a
reason: Domingo Plaza, Ana Bueno, Mesa and Reina are people. Names of pairs are not judged.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from tournaments.domain.names import fold_name, without_accents


@dataclass(frozen=True, slots=True)
class NameDoubt:
    """Why a text may not be the name of a person; ``is_refused``: it is none in any case.

    ``code`` is ``name_telephone``, ``name_mail``, ``name_address`` or ``name_money`` of what is
    refused; else ``name_bracket``, ``name_sign``, ``name_open``, ``name_remark`` or
    ``name_greeting``.
    """

    code: str
    is_refused: bool = False


def _phrases(text: str) -> frozenset[str]:
    return frozenset(" ".join(phrase.split()) for phrase in text.split(","))


# Whole phrases as `plain_words` returns them; within a name none of them is a reason.
STATES: Final = _phrases(
    """
    baja, bajas, de baja, baixa, baixes, baixas, alta, anulado, anulada, anulados, anulat, anulats,
    cancelado, cancelada, cancelados, cancelat, cancelled, canceled, abgesagt, abgemeldet, absage,
    absagen, retirado, retirada, retirados, retirat, withdrawn, out, fuera, eliminado, eliminados,
    confirmado, confirmada, confirmados, confirmadas, confirmat, confirmats, confirmed, bestatigt,
    por confirmar, sin confirmar, a confirmar, per confirmar, sense confirmar, falta confirmar,
    faltan por confirmar, no confirmado, no confirmados, unconfirmed, to be confirmed,
    por determinar, per determinar, a determinar, por definir, por decidir, por asignar,
    sin asignar, por ver, ya veremos, ya dira, ya diran, to be announced, to be determined,
    pendiente, pendientes, pendent, pendents, pendente, pendentes, pending, ausstehend, offen,
    noch offen, folgt, wird nachgereicht, steht noch nicht fest, zehazteko, konfirmatzeko,
    a confirmer, da confermare, in attesa, en attente,
    duda, dudas, en duda, dudoso, dudosa, dudosos, dubte, en dubte, duvida, zalantzan, quiza,
    quizas, tal vez, a lo mejor, potser, maybe, perhaps, vielleicht,
    no viene, no vienen, no va, no van, no vendra, no vendran, no puede, no pueden, no juega,
    no juegan, no ve, no venen, no poden, ez dator, ez datoz, kommt nicht, kommen nicht,
    not coming, cannot come, no se sabe, no esta, no estan, ausente, ausentes, absent, fehlt,
    viene, vienen, viene seguro, llega tarde, llegan tarde, viene tarde, vienen tarde,
    pagado, pagada, pagados, pagadas, pagat, pagats, paid, unpaid, bezahlt, nicht bezahlt, pago,
    ordainduta, no pagado, no pagados, sin pagar, por pagar, pendiente de pago, pendiente de pagar,
    pagan, paga, debe, deben, gratis, invitado, invitada, invitados, gast, guest,
    reserva, reservas, reserves, reserve, en reserva, suplente, suplentes, suplent, suplents,
    substitute, substitutes, ersatz, ersatzspieler, erreserba, ordezkoa, remplacant, riserva,
    lista de espera, en espera, espera, llista d espera, en llista d espera, waiting list,
    warteliste, auf der warteliste, waiting, en lista de espera, itxaron zerrenda
    """
)
UNKNOWN: Final = _phrases(
    """
    tbd, tba, tbc, n n, nn, n a, s n, x, xx, xxx, xxxx, none, null, nil, nan, unknown, unbekannt,
    desconocido, desconocida, desconegut, anonimo, anonima, sin nombre, sin pareja, sense parella,
    sen parella, busca pareja, buscan pareja, buscando pareja, buscamos pareja, busco pareja,
    busca companero, busca companera, falta pareja, falta companero, falta uno, falta una,
    cerca parella, busca parella, looking for partner, looking for a partner, needs a partner,
    no partner, sucht partner, sucht partnerin, ohne partner, solo, sin companero,
    libre, libres, lliure, librea, hutsik, frei, free, open, vacio, vacia, vacante, vacant, vago,
    hueco, plaza libre, bye, descansa, nadie, ninguno, ninguna, ningu, ninguen, inor, niemand,
    nobody, alguien, algu, alguen, norbait, jemand, somebody, someone, anyone, anybody, cualquiera,
    otro, otra, otros, otro mas, uno mas, una mas, altre, altra, outro, another, ein anderer,
    yo, yo mismo, yo misma, jo, jo mateix, jo mateixa, eu, ni, neu, ich, ich selbst, me, myself,
    i myself, moi, io, io stesso, servidor, servidora, un servidor, una servidora, el menda,
    el, ella, ell, ela, bera, er, sie, him, her, lui, lei, tu, nosotros, nosotras,
    nosaltres, wir, el mismo, ella misma, el otro, la otra, los dos, las dos, los mismos,
    idem, id, lo mismo, los de siempre, el de siempre, dito, ditto, same, no se, no lo se,
    no ho se, ez dakit, weiss nicht, don t know, dont know, segun, ok, si, no, vale, nombre,
    apellidos, nombre y apellidos, jugador, jugadora, player, spieler, xogador, jokalaria,
    pareja, parella, bikotea, partner, partnerin, companero, companera, company, companya,
    mas uno, acompanante, begleitung
    """
)
_RELATIONS: Final = re.sub(
    r"\s+",
    "|",
    """
    hermano hermana primo prima cunado cunada padre madre papa mama hijo hija amigo amiga
    colega mujer marido esposo esposa novio novia pareja companero companera sobrino sobrina
    tio tia abuelo abuela suegro suegra yerno nuera vecino vecina nieto nieta jefe chico
    chica senor senora conocido conocida acompanante germa germana cosi cosina cunyat
    cunyada pare mare fill filla amic amiga dona marit home nebot neboda oncle avi avia
    sogre sogra gendre nora vei veina parella company companya irman irma curman pai nai
    fillo muller companeiro companeira vecino anaia arreba lehengusua lagun laguna senarra
    emaztea semea alaba osaba izeba bikotea brother sister cousin father mother dad mom mum
    son daughter friend wife husband boyfriend girlfriend partner nephew niece uncle aunt
    grandfather grandmother neighbour neighbor mate bruder schwester vetter cousine vater
    mutter sohn tochter freund freundin frau mann partnerin neffe nichte onkel tante opa oma
    nachbar nachbarin kollege kollegin schwager schwagerin kumpel
    """.strip(),
)
# Alone they are nobody's name; Primo, Amigo, Mann and Freund are surnames.
_ALONE: Final = (
    "hermano|hermana|cunado|cunada|hijo|hija|mujer|marido|novio|novia|companero|companera|amiga"
    "|sobrino|sobrina|suegro|suegra|yerno|nuera|vecina|germana|cunyat|cunyada|companya|bruder"
    "|schwester|schwager|schwagerin|freundin|brother|sister|friend|wife|husband"
)
_OF_ONE: Final = (
    "mi|su|tu|nuestro|nuestra|vuestro|vuestra|el meu|la meva|el seu|la seva|o meu|a mina|o seu|"
    "a sua|nire|bere|zure|my|his|her|your|our|mein|meine|sein|seine|ihr|ihre"
)
_ANY_ONE: Final = (
    f"{_OF_ONE}|un|una|un altre|el|la|the|an|another|ein|eine|der|die|otro|otra|mi otro|mi otra"
)
_RELATIVE: Final = re.compile(
    rf"(?:(?:{_ANY_ONE}) (?:{_RELATIONS})|{_ALONE})"
    r"(?: (?:mio|mia|suyo|suya|meu|seu|(?:de|del|d|of|von) .*))?"
    rf"|(?:{_OF_ONE}) (?:{_RELATIONS}) .*"
)
"""A person who is named by another: “su hermano”, “hermano de Ana”, “mi primo Luis”."""

_GREETING: Final = re.compile(
    r"(?:hola|holaa+|saludos|salutacions|saudos|gracias|muchas gracias|gracies|grazas|hello|hallo"
    r"|danke|thanks|thank you|kaixo|agur|eskerrik asko|buenos dias|buenas|buenas tardes"
    r"|buenas noches|bon dia|bona tarda|bona nit|bos dias|boas tardes|egun on|gabon|arratsalde on"
    r"|good (?:morning|evening|afternoon)|guten (?:tag|morgen|abend)|un abrazo|abrazos|un saludo"
    r"|unha aperta|una abracada|nos vemos|ens veiem|vemonos|see you|best regards|kind regards"
    r"|regards|cheers|viele grusse|liebe grusse|schone grusse|mit freundlichen grussen|bis bald"
    r"|bis dann|hasta (?:luego|pronto|manana|entonces|otra|la vista|la proxima"
    r"|el (?:lunes|martes|miercoles|jueves|viernes|sabado|domingo|dia|proximo|finde).*)"
    r"|fins (?:aviat|dema|despres|ara|dilluns|dimarts|dimecres|dijous|divendres|dissabte|diumenge)"
    r"|ata (?:logo|manha|sabado)|feliz (?:ano|navidad|dia|finde|semana)|bon nadal)"
    r"(?: (?:a|y|i|e|und|and|de|por|para|to|for|all|everybody|everyone|todos|todas|tots|chicos"
    r"|chicas|amigos|amigas|gente|grupo|familia|cordiales|cordial|grandes?|fuerte|alle|zusammen"
    r"|hasta|nos|que|soy|aqui|os|te|se|me)(?: .*)?)?"
)

_NUMBER: Final = re.compile(r"(?:\d[ ./()-]{0,2}){6}\d")
_DATE: Final = re.compile(r"\b\d{1,4}[./-]\d{1,2}[./-]\d{1,4}\b")
_MAIL: Final = re.compile(r"[^\s@]+@[^\s@]+")
_ADDRESS: Final = re.compile(
    r"https?:|www\.|\w\.(?:com|org|net|info|gle|app|gl)\b"
    r"|(?:^|[\s(<])(?:[\w-]{3,}\.(?:es|cat|gal|eus|eu|de|fr|pt|it|io|uk|ar|mx)|t\.me|bit\.ly)"
    r"(?:/\S*)?(?:$|[)>])",
    re.IGNORECASE,
)
"""A country's domain counts as a last word alone: “Fco.de Borja” is a name."""

_MONEY: Final = re.compile(r"[€$£]|\d\s?(?:eur|euros?|leuros|pavos)\b", re.IGNORECASE)
_BRACKET: Final = re.compile(r"[()\[\]{}<>]")
_SIGNS: Final = " .'’-‐‑·ºª\"“”„«»‘‚‹›`´"
_TAIL: Final = re.compile(r"(?:[,;:(\[{–—]|\s-|-\s)\s*([^,;:(\[{–—]*?)[\s)\]}.!]*$")


def judge_person(name: str, *, may_be_inverted: bool = False) -> NameDoubt | None:
    """Return why a text may not be the name of a person, or None.

    With ``may_be_inverted`` one comma between words is no reason: “Gil, Ana”.

    >>> judge_person("Domingo Plaza"), judge_person("Marcel·lí Antúnez i Roca")
    (None, None)
    >>> [judge_person(name).code for name in ("600 111 222", "Ana (2)", "su hermano")]
    ['name_telephone', 'name_bracket', 'name_open']
    """
    if code := _why_refused(name):
        return NameDoubt(code, is_refused=True)
    if is_open(name):
        return NameDoubt("name_open")
    if _GREETING.fullmatch(plain_words(name)):
        return NameDoubt("name_greeting")
    if (tail := _TAIL.search(name)) and is_open(tail[1]):
        return NameDoubt("name_remark")
    if _BRACKET.search(name):
        return NameDoubt("name_bracket")
    if may_be_inverted and name.count(",") == 1 and all(map(plain_words, name.split(","))):
        name = name.replace(",", " ")
    if not all(map(_is_of_names, name)):
        return NameDoubt("name_sign")
    return None


def _why_refused(name: str) -> str:
    """Return the code of what no name holds, or an empty text."""
    if _MAIL.search(name):
        return "name_mail"
    if _ADDRESS.search(name):
        return "name_address"
    if _NUMBER.search(_DATE.sub("", name)):
        return "name_telephone"
    return "name_money" if _MONEY.search(name) else ""


def is_open(text: str) -> bool:
    """Tell whether a text as a whole says that somebody is not known yet, or a state.

    >>> [is_open(text) for text in ("Por confirmar", "mi primo Luis", "Baja", "Libre Gil")]
    [True, True, True, False]
    """
    words = plain_words(text)
    return words in STATES or words in UNKNOWN or _RELATIVE.fullmatch(words) is not None


def is_state(text: str) -> bool:
    """Tell whether a text as a whole is a state: that people do not come, or are reserves."""
    return plain_words(text) in STATES


def plain_words(text: str) -> str:
    """Return the words of a text without case, accents and marks, with one blank between them."""
    folded = without_accents(fold_name(text))
    return " ".join("".join(c if c.isalnum() else " " for c in folded).split())


def _is_of_names(character: str) -> bool:
    return character in _SIGNS or unicodedata.category(character)[0] in "LM"


def propose_name(name: str) -> str:
    """Return what is left of a doubtful name without what is no name; as it is if nothing is.

    >>> propose_name("Ana Gil <ana@example.org>"), propose_name("Ana (1450)"), propose_name("yo")
    ('Ana Gil', 'Ana', 'yo')
    >>> propose_name("Gil, Ana")
    'Ana Gil'
    """
    text = re.sub(r"[(\[{<][^()\[\]{}<>]*[)\]}>]?", " ", name)
    text = re.sub(r"\S*@\S+|https?:\S+|www\.\S+|\S*\d\S*|[€$£]", " ", text)
    while (tail := _TAIL.search(text)) and is_open(tail[1]):
        text = text[: tail.start()]
    surname, comma, given = text.partition(",")
    if comma and plain_words(surname) and plain_words(given):
        text = f"{given} {surname}"
    text = " ".join("".join(c if _is_of_names(c) else " " for c in text).split()).strip(" -.")
    return text if text and judge_person(text) is None else name
