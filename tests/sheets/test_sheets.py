"""Papers say what they are for, on as many pages as it takes, and no text leaves the page."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest
from fpdf.fonts import TTFFont

from tests.sheets import samples
from tests.sheets.reading import pages_of, words_of
from tournaments.sheets import render_papers, rows
from tournaments.sheets.fonts import BOLD, transliterate
from tournaments.sheets.messages import PaperMessages
from tournaments.sheets.paper import POINT, Paper

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

KINDS: dict[str, rows.Sheet] = {
    "by_table": rows.PairingsByTable(samples.HEAD, samples.tables(9)),
    "by_name": samples.by_name(8),
    "table_cards": samples.table_cards(8),
    "score_sheets": samples.score_sheets(8),
    "standings": samples.standings(8),
    "crosstable": samples.crosstable(8),
    "by_rounds": samples.by_rounds(8, 7),
    "bracket": samples.bracket(8),
    "guide_cards": samples.guides(8, 7),
    "diplomas": replace(samples.diplomas(), winners=samples.diplomas().winners[1:2]),
    "codes": samples.codes(8),
    "poster": samples.poster(20),
    "account": samples.account(8),
}


def read(sheet: rows.Sheet, language: str = "es") -> list[str]:
    return words_of(render_papers([sheet], language, "Papeles"))


@pytest.fixture
def paper() -> Iterator[Paper]:
    """Paper to measure on, that is not made into a file."""
    paper = Paper("es")
    yield paper
    for name in paper.added_fonts:
        font = paper.fonts[name]
        assert isinstance(font, TTFFont)
        font.close()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["es", "en", "de"])
def test_no_text_of_any_paper_leaves_the_page(kind: str, language: str, paper: Paper) -> None:
    sheet = KINDS[kind]
    lies = kind in {"crosstable", "by_rounds", "bracket", "diplomas"}
    width, height = (842, 595) if lies else (595, 842)
    for page in pages_of(render_papers([sheet], language, "Papeles")):
        assert page
        for text in page:
            hand = BOLD  # the widest of them
            wide = paper.width_of(text.text, hand, text.size) / POINT
            assert text.x > 10
            assert text.x + wide < width, text
            assert 10 < text.y < height - 10, text


@pytest.mark.parametrize(
    ("kind", "entries", "pages"),
    [
        ("by_table", 8, 1),
        ("by_table", 60, 2),
        ("by_table", 150, 4),
        ("by_name", 8, 1),
        ("by_name", 60, 4),
        ("by_name", 150, 10),
        ("standings", 8, 1),
        ("standings", 60, 3),
        ("standings", 150, 7),
        ("table_cards", 8, 2),
        ("table_cards", 60, 15),
        ("score_sheets", 8, 2),
        ("score_sheets", 60, 15),
        ("codes", 8, 1),
        ("codes", 150, 13),
        ("crosstable", 8, 1),
        ("crosstable", 40, 9),
    ],
)
def test_a_list_of_any_length_goes_on_over_numbered_pages(
    kind: str, entries: int, pages: int
) -> None:
    sheets: dict[str, Callable[[int], rows.Sheet]] = {
        "by_table": lambda n: rows.PairingsByTable(samples.HEAD, samples.tables(n)),
        "by_name": samples.by_name,
        "standings": samples.standings,
        "table_cards": samples.table_cards,
        "score_sheets": samples.score_sheets,
        "codes": samples.codes,
        "crosstable": samples.crosstable,
    }
    texts = read(sheets[kind](entries))
    assert len(texts) == pages
    if kind in {"by_table", "by_name", "standings", "crosstable"}:
        for number, page in enumerate(texts, start=1):
            assert f"Página {number} de {pages}" in page
            assert {"by_table": "Mesa", "crosstable": "Ptos."}.get(kind, "Nombre") in page
    if kind not in {"by_name", "table_cards"}:
        assert f"Pareja {entries}" in texts[-1]


def test_everybody_stands_once_in_the_pairings_by_name() -> None:
    text = "\n".join(read(samples.by_name(60)))
    tables = [line for line in text.split("\n") if line.isdigit()]
    assert sorted(map(int, tables)) == sorted(list(range(1, 31)) * 4)


def test_who_rests_stands_in_the_pairings_and_has_no_card_and_no_sheet() -> None:
    assert "descansa" in read(rows.PairingsByTable(samples.HEAD, samples.tables(9)))[0]
    assert "rests" in read(rows.PairingsByTable(samples.HEAD, samples.tables(9)), "en")[0]
    assert "Pareja 9" not in "".join(read(samples.table_cards(9)))
    assert "Pareja 9" not in "".join(read(samples.score_sheets(9)))


def test_a_table_card_names_its_table_its_people_and_where_to_report() -> None:
    page = read(samples.table_cards(2), "en")[0]
    for text in ("Table", "1", samples.person(2), samples.person(5), "Report the result here"):
        assert text in page
    assert "https://baza.example/t/san-jorge/table/" in page


def test_a_score_sheet_has_a_row_for_every_hand_and_a_line_for_every_side() -> None:
    page = read(samples.score_sheets(2))[0].split("\n")
    assert [line for line in page if line.isdigit()] == ["1", "2", "3", "4", "5"]
    assert {"Firma de A-C", "Firma de B-D", "Árbitro", "Cantes", "Última baza"} <= set(page)


def test_a_score_sheet_of_three_has_a_column_for_each() -> None:
    sheet = replace(samples.score_sheets(3), tables=samples.threes(3), hands=tuple("1234567"))
    page = read(sheet)[0].split("\n")
    assert {"Firma de A", "Firma de B", "Firma de C"} <= set(page)
    assert page.count("Cantes") == 3


def test_a_duplicate_table_has_its_deals_for_rows() -> None:
    table = replace(samples.tables(2)[0], boards=(7, 8, 9))
    page = read(replace(samples.score_sheets(2), tables=(table,)), "en")[0].split("\n")
    assert [line for line in page if line.isdigit()] == ["7", "8", "9"]
    assert "7–9" in read(rows.PairingsByTable(samples.HEAD, (table,)), "en")[0]


def test_a_long_match_takes_a_page_for_each_sheet() -> None:
    assert len(read(samples.score_sheets(4, hands=10))) == 1
    assert len(read(samples.score_sheets(4, hands=25))) == 2
    assert len(read(samples.score_sheets(4, hands=45))) == 4


def test_a_large_crosstable_says_which_columns_a_page_has() -> None:
    pages = read(samples.crosstable(40))
    assert "columnas 1–14" in pages[0]
    assert "columnas 29–40" in pages[2]


def test_a_bracket_says_out_of_which_match_a_person_comes() -> None:
    page = read(samples.bracket(8))[0]
    for text in ("Cuartos de final", "Semifinales", "Final", "ganador del 1", "3–1"):
        assert text in page


def test_every_match_of_a_large_bracket_is_drawn_once() -> None:
    texts = [
        text for page in pages_of(render_papers([samples.bracket(64)], "es", "")) for text in page
    ]
    first = [text.text for text in texts if text.text.startswith("Pareja ")]
    assert first == [f"Pareja {number}" for number in range(1, 65, 2)]
    waiting = [text.text for text in texts if text.text.startswith("ganador del ")]
    assert sorted(waiting, key=lambda text: int(text.split()[-1])) == [
        f"ganador del {number}" for number in range(1, 63)
    ]


def test_a_guide_card_leads_through_every_round() -> None:
    page = read(samples.guides(1, 7))[0]
    assert page.count("contra ") == 6
    assert "descansa" in page


def test_diplomas_name_the_place_and_the_day() -> None:
    first, second, third, other = read(samples.diplomas())
    assert "por el primer puesto" in first
    assert "Zaragoza, 23 de abril de 2026" in first
    assert samples.LONG in second
    assert "por el 22.º puesto" in other
    assert "22nd place" in read(samples.diplomas(), "en")[3]
    assert "Zaragoza, 23 April 2026" in read(samples.diplomas(), "en")[0]
    assert "ZhangWei y Αλέξης" in third


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Łukasz Peña", "Łukasz Peña"),
        ("Αλέξης Жук", "Αλέξης Жук"),
        ("Nguyễn Văn", "Nguyễn Văn"),
        ("张伟", "ZhangWei"),
        ("ᏣᎳᎩ", "TsaLaGi"),
        ("🂡 Ana", "As Ana"),
        ("الفريق", "lfryq"),
        ("カード", "kado"),
        ("ااا", "U+0627U+0627U+0627"),
        ("䶺", "U+4DBA"),
    ],
)
def test_a_name_that_no_font_writes_is_written_in_latin_letters(name: str, text: str) -> None:
    assert transliterate(name) == text


def test_a_name_of_forty_characters_fits_wherever_it_stands(paper: Paper) -> None:
    assert len(samples.LONG) == 40
    for width in (30.0, 44.0, 56.0, 90.0):
        fitted = paper.fit_text(samples.LONG, width, size=11)
        assert " ".join(fitted.lines) == samples.LONG
        assert max(paper.width_of(line, size=fitted.size) for line in fitted.lines) <= width
        assert fitted.size >= 5


def test_a_long_name_becomes_smaller_before_it_is_broken(paper: Paper) -> None:
    whole = paper.width_of(samples.LONG, size=11)
    assert paper.fit_text(samples.LONG, whole * 0.9, size=11).lines == (samples.LONG,)
    assert len(paper.fit_text(samples.LONG, whole * 0.6, size=11).lines) == 2


def test_a_long_word_is_broken_and_a_number_is_not(paper: Paper) -> None:
    word = "Donaudampfschifffahrtsgesellschaft"
    fitted = paper.fit_text(word, 20, size=11)
    assert len(fitted.lines) == 2
    assert "".join(fitted.lines) == word
    assert len(paper.fit_text("12345–67890", 12, size=11).lines) == 1


def test_long_names_take_two_lines_in_a_bracket_and_below_the_name_of_a_pair() -> None:
    meeting = rows.BracketLine(1, (samples.LONG, "Ana"), 0, "3–1")
    columns = (rows.BracketColumn("main", 1, (meeting,)),)
    standings = samples.standings(1)
    (group,) = standings.groups
    row = group.rows[0]._replace(players=(samples.LONG, samples.LONG))
    sheets: tuple[rows.Sheet, ...] = (
        rows.Bracket(samples.HEAD, columns, is_double=False),
        replace(standings, groups=(group._replace(rows=(row,)),)),
    )
    for sheet in sheets:
        (page,) = pages_of(render_papers([sheet], "es", ""))
        parts = [text for text in page if "Concepción" in text.text or "Lizarrag" in text.text]
        assert len(parts) == 2, parts
        assert min(text.size for text in parts) >= 4.5


def test_a_name_in_two_lines_leaves_room_for_the_players_below() -> None:
    first, *_ = samples.diplomas().winners
    long_name = replace(first, name=f"{samples.LONG} {samples.LONG}")
    (page,) = pages_of(render_papers([replace(samples.diplomas(), winners=(long_name,))], "es", ""))
    lines = [text for text in page if text.text in samples.LONG]
    (players,) = [text for text in page if text.text == " · ".join(first.players)]
    assert len(lines) == 2
    lower = min(lines, key=lambda line: line.y)
    # What "g" takes below the line and "l" above it, in parts of the size.
    assert lower.y - players.y > 0.27 * lower.size + 0.74 * players.size


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_rows_are_the_same_file(kind: str) -> None:
    assert render_papers([KINDS[kind]], "es", "x") == render_papers([KINDS[kind]], "es", "x")


def test_several_papers_become_one_file() -> None:
    sheets = (samples.by_name(8), samples.table_cards(8), samples.score_sheets(8))
    assert len(words_of(render_papers(sheets, "es", "x"))) == 1 + 2 + 2


def test_a_draft_says_that_it_is_one() -> None:
    head = replace(samples.HEAD, has_draft=True)
    assert "borrador, sin publicar" in read(rows.PairingsByTable(head, samples.tables(4)))[0]


@pytest.mark.parametrize("lines", [1, 20])
def test_no_line_of_a_poster_is_printed_over_its_code(lines: int) -> None:
    (page,) = pages_of(render_papers([samples.poster(lines)], "es", "Papeles"))
    prizes = [text for text in page if text.text.startswith("Puesto ")]
    assert len(prizes) == lines
    assert min(text.y for text in prizes) > 842 - 190 / POINT


def test_every_place_has_its_ordinal_in_each_language() -> None:
    spanish, english, german = PaperMessages("es"), PaperMessages("en"), PaperMessages("de")
    assert [spanish.ordinal(n) for n in (1, 4)] == ["por el primer puesto", "por el 4.º puesto"]
    texts = ["first place", "4th place", "11th place", "21st place", "103rd place"]
    assert [english.ordinal(n) for n in (1, 4, 11, 21, 103)] == texts
    assert [german.ordinal(n) for n in (1, 4, 21)] == ["1. Platz", "4. Platz", "21. Platz"]


def test_numbers_and_dates_are_written_as_each_language_writes_them() -> None:
    day = date(2026, 11, 21)
    numbers_by_language = {
        language: (PaperMessages(language).number(2.5), PaperMessages(language).long_date(day))
        for language in DAYS
    }
    assert numbers_by_language == DAYS


DAYS = {
    "es": ("2,5", "21 de noviembre de 2026"),
    "en": ("2.5", "21 November 2026"),
    "de": ("2,5", "21. November 2026"),
}
