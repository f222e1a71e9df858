"""Every code can be said in English, Spanish and German."""

import json
import string
from pathlib import Path

import polib
import pytest

import engine
from engine.bots import failures
from engine.messages import FOLDER, message
from tests.engine.codes import CODES

SAME_IN_ALL = {"fault.record.option", "fault.record.field"}
"""They only join a place and a reason."""


def messages_of(language: str) -> dict[str, str]:
    path = FOLDER / language / "LC_MESSAGES" / "engine.po"
    return {entry.msgid: entry.msgstr for entry in polib.pofile(str(path))}


def ids_of(group: str) -> set[str]:
    """Return the codes of a group that have a message."""
    beginning = f"{group}."
    return {
        name.removeprefix(beginning) for name in messages_of("en") if name.startswith(beginning)
    }


def test_every_code_of_the_ruleset_has_a_sentence() -> None:
    codes = {code.split()[0] for of_ruleset in CODES.values() for code in of_ruleset}
    assert codes <= ids_of("fault")


def test_every_failure_of_a_bot_has_a_sentence() -> None:
    assert set(failures.CODES) | {"hang/in_all"} == ids_of("bot_failure")


@pytest.mark.parametrize("language", engine.LANGUAGES)
def test_a_catalogue_has_a_message_for_each_id_with_the_same_facts(language: str) -> None:
    english, other = messages_of("en"), messages_of(language)
    assert [name for name, text in other.items() if not text] == []
    assert set(other) == set(english)
    # What is not understood of a file is quoted in English alone.
    differ = {name for name in english if fields(english[name]) != fields(other[name])}
    assert differ <= {"reason.malformed_json", "reason.duplicate_key", "reason.bad_number"}


def test_each_language_has_sentences_of_its_own() -> None:
    english, spanish, german = map(messages_of, engine.LANGUAGES)
    for name in english:
        if (
            name.startswith(("fault.", "hint.", "remark.", "bot_failure."))
            and name not in SAME_IN_ALL
        ):
            assert len({english[name], spanish[name], german[name]}) == 3, name


def test_the_compiled_catalogues_are_those_that_are_read() -> None:
    for language in engine.LANGUAGES:
        path = Path(FOLDER / language / "LC_MESSAGES" / "engine.mo")
        compiled = {entry.msgid: entry.msgstr for entry in polib.mofile(str(path))}
        assert compiled == messages_of(language)


def test_a_fault_and_a_hint_are_said_in_german() -> None:
    fault = engine.Fault("deal.missing", "R1.0", facts={"cards": ["1o", "3o"]})
    assert engine.explain(fault, "de") == "Niemandem gegeben: 1o, 3o"
    hint = engine.Hint("missing", (4,), write="7b", also=("6",))
    assert engine.explain_hint(hint, "de") == "Vielleicht fehlt 7b (vor Zug 4 oder 6)"


def test_a_failure_of_a_bot_is_said_in_english_where_a_language_has_no_catalogue() -> None:
    failure = failures.BotFailure(failures.OUTPUT_FLOOD, limit=9, what="line")
    assert failure.message_in("de") == "schrieb mehr als die 9 Bytes, die eine Zeile haben darf"
    assert failure.message_in("ca") == failure.message_in("en")


def test_a_language_without_a_catalogue_is_refused() -> None:
    with pytest.raises(ValueError, match="no words in 'ca'"):
        engine.explain(engine.Fault("match.over", "R7.4"), "ca")


def test_a_missing_message_is_named() -> None:
    with pytest.raises(KeyError, match=r"en: no message 'fault\.play\.nothing'"):
        message("en", "fault.play.nothing")


def fields(sentence: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(sentence) if name}


STAKED = {
    "format": "baza/1",
    "ruleset": "arrastrado",
    "options": {"deals": 1, "stakes": "plate"},
    "seats": ["Joaquín", "Lourdes", "Teresa"],
    "hands": [
        {
            "dealer": "A",
            "trump": "5e",
            "deal": {
                "A": "3o So 1o Sb 7e 4c 5o Co 6o 4o 4e Cb Re",
                "B": "5c 5b 3e Cc 2c 4b 7o Se 7c Rc 6c 3b 1b",
                "C": "2o 7b Sc 1e Rb 6e 3c 1c 2b 6b Ce 2e Ro",
            },
            "play": "",
        }
    ],
}


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The ruleset is missing; known: "),
        ("es", "Falta el reglamento; se conocen: "),
        ("de", "Das Regelwerk fehlt; bekannt sind: "),
    ],
)
def test_a_record_without_a_ruleset_is_informed_that_it_is_missing(
    language: str, sentence: str
) -> None:
    without = {name: value for name, value in STAKED.items() if name != "ruleset"}
    for record in (without, STAKED | {"ruleset": None}, STAKED | {"ruleset": ""}):
        fault = engine.audit(json.dumps(record)).faults[0]
        assert engine.explain(fault, language).startswith(sentence)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The play stops here; B has to say B:voy or B:paso"),
        ("es", "El juego se corta aquí; a B le toca decir B:voy o B:paso"),
        ("de", "Das Spiel bricht hier ab; B hat B:voy oder B:paso zu sagen"),
    ],
)
def test_an_empty_play_with_a_plate_says_what_the_seat_has_to_say(
    language: str, sentence: str
) -> None:
    fault = engine.audit(json.dumps(STAKED)).faults[0]
    assert (fault.code, fault.seat) == ("play.incomplete", "B")
    assert engine.explain(fault, language) == sentence


@pytest.mark.parametrize("language", engine.LANGUAGES)
def test_seats_with_an_invisible_character_are_answered_with_their_number(language: str) -> None:
    record = STAKED | {
        "ruleset": "cuatro",
        "options": {},
        "seats": ["Ana", "Bea\u202e", "Eva", "Isa"],
    }
    fault = engine.audit(json.dumps(record)).faults[0]
    assert fault.code == "record.seats"
    assert "4 " in engine.explain(fault, language)


@pytest.mark.parametrize("language", engine.LANGUAGES)
def test_a_huge_integer_is_answered_without_advice_from_python(language: str) -> None:
    fault = engine.audit('{"format": ' + "9" * 5000 + "}").faults[0]
    assert fault.code == "record.syntax"
    assert "sys." not in engine.explain(fault, language)
    assert "sys." not in json.dumps(fault.facts)
