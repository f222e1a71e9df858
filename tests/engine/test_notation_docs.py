"""Every example of `docs/programs/notation.md` is read, and is what the page says it is."""

from __future__ import annotations

import doctest
import io
import json
import re
from pathlib import Path

import pytest

import engine
from engine.text_lines import READ_LINE, RESERVED
from engine.text_words import TextError
from tests.engine.test_messages import ids_of

PAGE = Path("docs/programs/notation.md")
TEXT = PAGE.read_text(encoding="utf-8")
BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>.*?) -->\n)?^```tute\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)
BLOCKS = [
    (occurrence["mark"] or "record", occurrence["text"]) for occurrence in BLOCK.finditer(TEXT)
]
HEAD = '[Format "baza/1"]\n[Ruleset "habanero"]\n'


def blocks(kind: str) -> list[tuple[str, str]]:
    return [(mark, text) for mark, text in BLOCKS if mark.startswith(kind)]


def test_there_are_examples_of_every_kind() -> None:
    assert {mark.partition(":")[0] for mark, _text in BLOCKS} == {
        *["record", "head", "heads", "hand", "error"],
    }


def test_the_record_is_valid_and_in_the_export_form() -> None:
    ((_mark, text),) = blocks("record")
    record = engine.parse_text(text)
    document = engine.document_with_comments(record)
    assert document["tags"]["; above /hands/0/dealer"] == "the only hand of the match"
    assert engine.write_text(json.loads(json.dumps(document))) == text
    assert engine.audit_text(record).valid
    assert engine.audit(document).valid


def test_a_head_says_what_the_page_says_of_quoted_names() -> None:
    text = next(text for mark, text in BLOCKS if mark == "head")
    assert engine.parse_text(text).document["tags"] == {
        "event": "Liga",
        "Event": "another tag",
        "winner": "no result, a tag of that name",
        "mesa 3": "",
    }


def test_tags_are_inherited_as_the_page_shows() -> None:
    text = next(text for mark, text in BLOCKS if mark == "heads")
    first, second = (record.document for record in engine.iter_text(io.BytesIO(text.encode())))
    assert second == first | {"tags": {"event": "Mesa libre", "round": "2"}}


@pytest.mark.parametrize("text", [text for _mark, text in blocks("hand")])
def test_a_hand_can_be_read(text: str) -> None:
    (hand,) = engine.parse_text(HEAD + text).document["hands"]
    assert hand["play"] is None or len(hand["play"].split()) == text.count("o") + 3


@pytest.mark.parametrize(("mark", "text"), blocks("error"))
def test_an_error_is_the_one_named(mark: str, text: str) -> None:
    place, reason = mark.partition(": ")[2].split()
    with pytest.raises(TextError) as error:
        engine.parse_text(text)
    assert f"{error.value.line}:{error.value.column}" == place
    assert error.value.reason == reason


def test_every_tag_and_every_line_stands_in_the_specification() -> None:
    specification = Path("docs/spec/tute.md").read_text(encoding="utf-8")
    for name in RESERVED:
        assert f"`[{name} " in specification or name in "BC"
    for word in READ_LINE:
        assert re.search(rf"`{re.escape(word)}[` ]", specification)


def test_every_reason_stands_on_the_page() -> None:
    sources = [
        Path(f"engine/{name}.py").read_text() for name in ("text", "text_lines", "text_words")
    ]
    used = set(
        re.findall(r'(?:WordError|TextError|_fail)\((?:line, )?"([a-z_]+)"', "".join(sources))
    )
    used |= {"bad_encoding", "too_large"}
    assert used == set(re.findall(r"^- `([a-z_]+)`:", TEXT, re.MULTILINE))
    assert used - {"too_large"} <= ids_of("reason")


def test_the_python_examples_print_what_they_show() -> None:
    result = doctest.testfile(str(PAGE.resolve()), module_relative=False)
    assert result.attempted >= 6
    assert not result.failed
