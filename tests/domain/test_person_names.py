"""What may be the name of a person: real names pass, what is none is refused or asked about."""

from pathlib import Path

import pytest

from tournaments.domain.person_names import judge_person, propose_name
from tournaments.domain.roster import read_players

CLUB_NIGHT = Path("tournaments/management/commands/club_night/players.csv")

REAL = {
    "es": """
        Domingo Plaza, Ana Bueno, Reina, Mesa, Ángel Libre Gómez, Esperanza Alta Gil, Paz Vega,
        Consuelo Baja Ruiz, Primo de Rivera, José Antonio Primo, Socorro Pareja Obregón, Rosa Reina,
        Luis Mesa Blanco, Julio Sábado, Abril Domingo, Pilar Tabla, Santiago Ramón y Cajal, José
        Ortega y Gasset, Feliz Manuel Rojas, María Gracia Abrazo, Casto Franco, Víctor Reserva,
        Dolores Fuertes Barriga, Amigo Sanz, Inocencio Hermano, Tomás Turrado, Jesús Gracia, Mateo
        Uno, Segundo Primero, Juan Segundo, Sol Puerta, Fidel Pago, Mª Carmen Ruiz, Fco. Javier Gil,
        Luis “El Rubio” Sanz, J. A. Labordeta, Nadie Cruz, Bienvenido Hola, Paloma Duda, Ana-Belén
        Tarde
    """,
    "ca": """
        Marcel·lí Antúnez, Salut Roig, Pere Fill, Joan Mare, Núria Dona, Josep Home i Pons, Jordi
        Avi, Quim Vei, Carme Baixa, Mercè Plaça, Joan d’Arc, Lluís Companys, Oriol Pagat, Pau Casals
        i Defilló, Montserrat Reserva, Gràcia Taula, Miquel Dissabte, Àngels Company, Rosa Parella,
        Aina Jové, Joana Jo, Ferran Adrià, Bernat Metge, Ramon Llull, Ton Cosí, Neus Pare, Blai
        Bonet, Jaume Lliure, Eulàlia Vila-Matas, Guifré Pelós, Tecla Sala, Mar Oncle, Llibert
        Tarragó, Pere Quart, Laia Dilluns, Enric Granados, Biel Mesquida, Dolors Mas, Sal·lus Font,
        Arnau Cadell
    """,
    "eu": """
        Iñaki Agirre, Ni Etxeberria, Mikel Bera, Ane Arreba, Jon Hutsik, Nerea Lagun, Amaia Baja,
        Joseba Anaia, Iker Inor, Uxue Erreserba, Aitor Libre, Gorka Egun, Miren Gabon, Xabier
        Norbait, Itziar Osaba, Koldo Semea, Maite Alaba, Unai Mahai, Bittor Reina, Garbiñe Muguruza,
        Ainhoa Mesa, Eneko Igande, Ander Larunbata, Lide Plaza, Beñat Etxepare, Izaro Andrés, Jokin
        Bueno, Leire Domingo, Txomin Agur, Begoña Kaixo, Pello Ordezko, Haizea Zerrenda, Julen Ez,
        Oihana Bai, Endika Bat, Nahia Bi, Markel Jokalari, Saioa Talde, Ibai Bikote, Zuriñe Izena
    """,
    "de": """
        Thomas Mann, Sigmund Freud, Anna Freund, A. Mann, Karl Vetter, Mann, Vetter, Eva Sohn,
        Frieda Frei, Ernst Frei, Otto Gast, Uwe Offen, Rosa Sonntag, Klaus Freitag, Franz Samstag,
        Max Ersatz, Ida Absage, Paul Vater, Lea Mutter, Hans Onkel, Jan Opa, Otto von Bismarck,
        Ursula zu Castell, Ludwig van Beethoven, Erna Neffe, Bruno Schwager, Emil Kollege, Käthe
        Kumpel, Fritz Tisch, Greta Tafel, Lars Bis, Mia Danke, Hallo Schmidt, Ria Gut, Egon Gruß,
        Udo Ich, Ina Sie, Jens Er, Anke Wir, Dora Niemand
    """,
    "en": """
        Will Partner, Rose Friend, Guy Mate, Art Free, Jack Guest, April May, Frank Pending, Bill
        Paid, Sue Cash, Faith Open, Hope Bye, Neil Waiting, Joy Nobody, Dawn Monday, Max Friday,
        Queenie King, Ace Ventura, Hazel Reserve, Mark Table, Grace Player, Chris Pair, Pat Singles,
        Ray None, Dean Null, Ian Other, Tom Brother, Amy Sister, Ola Nordmann, Mary Cousins, Seán
        O’Brien, D’Arcy Wood, Anne-Marie Duff, J. R. R. Tolkien, Zoë Ball, Mac Substitute, Ben Draw,
        Penny Fee, Chip Winner, Sandy Beach, Noor Al Hussein
    """,
}
"""Names of people that hold words of lists, of greetings, of relations and of what is open."""


@pytest.mark.parametrize("language", REAL)
def test_a_word_within_a_name_is_no_reason(language: str) -> None:
    names = [" ".join(name.split()) for name in REAL[language].split(",")]
    assert len(names) == 40
    assert [name for name in names if judge_person(name)] == []


def test_the_names_of_the_demo_pass() -> None:
    lines = read_players(CLUB_NIGHT.read_bytes()).lines
    assert lines
    assert [line.name for line in lines if judge_person(line.name)] == []


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (
            "name_telephone",
            "600112233; Ana Gil 600 11 22 33; +34 600.112.233; 12345678Z; X1234567L",
        ),
        ("name_mail", "paco@example.org; Paco <p@x.es>; mailto:p@x.es"),
        (
            "name_address",
            "https://forms.gle/abc; www.peña.es; forms.gle/abc; casino.es; Ana t.me/x",
        ),
        ("name_money", "10 €; Ana 15euros; €; Luis $5"),
    ],
)
def test_what_no_name_holds_is_refused(code: str, names: str) -> None:
    for name in names.split("; "):
        doubt = judge_person(name)
        assert doubt is not None, name
        assert (doubt.code, doubt.is_refused) == (code, True), name


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (
            "name_open",
            (
                "pendiente; Por confirmar; TBD; yo; su hermano; mi primo Luis; un amigo; Baja;"
                " pareja; ¿yo?; Pendent; zehazteko; noch offen; El cuñado de Toni; (pendent); X"
            ),
        ),
        ("name_remark", "Rosa Lana, confirmado; Ana Gil - baja; Ana Gil – baja; Ana Gil (baja)"),
        ("name_bracket", "Ana Gil (la de Zuera); Ana [3]; Luis {el alto}"),
        (
            "name_sign",
            "?; Ana 2; Ana/Luis; Ana & Luis; Gil, Ana; 👑; Ana Gil_; 21/11/2026; Rosa x2",
        ),
        (
            "name_greeting",
            "Saludos; hasta el sábado; Hola a todos; Buenas tardes; Viele Grüße; Danke",
        ),
    ],
)
def test_what_may_be_none_is_asked(code: str, names: str) -> None:
    for name in names.split(";"):
        doubt = judge_person(name.strip())
        assert doubt is not None, name
        assert (doubt.code, doubt.is_refused) == (code, False), name


def test_a_comma_is_no_reason_where_surnames_come_first() -> None:
    assert judge_person("Núñez Peña, Begoña", may_be_inverted=True) is None
    assert judge_person("Lana, Rosa, Zuera", may_be_inverted=True) is not None
    assert judge_person("Rosa Lana, confirmada", may_be_inverted=True) is not None


@pytest.mark.parametrize(
    ("name", "proposed"),
    [
        ("Ana Gil <ana@example.org>", "Ana Gil"),
        ("Rosa Lana 12345678Z", "Rosa Lana"),
        ("Rosa Lana, confirmado", "Rosa Lana"),
        ("Rosa Lana (paga el sábado)", "Rosa Lana"),
        ("Gil, Ana", "Ana Gil"),
        ("su hermano", "su hermano"),
    ],
)
def test_what_is_left_of_a_name_is_proposed(name: str, proposed: str) -> None:
    assert propose_name(name) == proposed
