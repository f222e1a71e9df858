"""The reader of records, whatever they come in; each file of `tests/inputs/records` by name."""

import hashlib
import json
from copy import copy
from io import BytesIO
from pathlib import Path

import pytest

import engine
from engine import Form, RecordError, RecordReader
from engine.cli import main

INPUTS = Path("tests/inputs/records")
RECORD = {"format": "baza/1", "ruleset": "cuatro"}
LINE = json.dumps(RECORD).encode()
PRETTY = json.dumps(RECORD, indent=1).encode()


def read(source: bytes, name: str = "") -> tuple[RecordReader, list[bytes | str]]:
    """Read a source; an error is its reason."""
    reader = RecordReader(BytesIO(source), name)
    contents: list[bytes | str] = []
    for _number, _line, content in reader:
        if isinstance(content, RecordError):
            contents.append(content.reason)
        else:
            contents.append(content if isinstance(content, bytes) else "text")
    return reader, contents


def export(*lines: bytes) -> bytes:
    body = b"".join(line + b"\n" for line in lines)
    end = {"end": True, "count": len(lines), "sha256": hashlib.sha256(body).hexdigest()}
    return body + json.dumps(end, separators=(",", ":")).encode() + b"\n"


@pytest.mark.parametrize(
    ("source", "form", "contents"),
    [
        (LINE, Form.JSON, [LINE]),
        (LINE + b"\n\n" + LINE, Form.NDJSON, [LINE + b"\n", LINE]),
        (json.dumps(RECORD, indent=1).encode(), Form.JSON, [json.dumps(RECORD, indent=1).encode()]),
        (b"[" + LINE + b",\n" + LINE + b"]\n", Form.ARRAY, [LINE, LINE]),
        (json.dumps([RECORD], indent=1).encode(), Form.ARRAY, None),
        (b'{"records": [' + LINE + b",\n" + LINE + b"]}", Form.ARRAY, [LINE, LINE]),
        (json.dumps({"records": [RECORD]}, indent=1).encode(), Form.ARRAY, None),
        (PRETTY + b"\n" + PRETTY + b"\n", Form.JSON, [PRETTY, PRETTY + b"\n"]),
        (PRETTY + b"\n" + PRETTY[:-3], Form.JSON, [PRETTY + b"\n" + PRETTY[:-3]]),
        (2 * (b"\xef\xbb\xbf" + LINE + b"\n"), Form.NDJSON, [LINE + b"\n", LINE + b"\n"]),
        (b"[]", Form.ARRAY, []),
        (export(LINE, LINE), Form.EXPORT, [LINE + b"\n", LINE + b"\n"]),
        (export(LINE) + export(LINE), Form.EXPORT, [LINE + b"\n", LINE + b"\n"]),
        (b'; a night\n[Format "baza/1"]\n', Form.TUTE, ["text"]),
        (b"N\xba;Jugador\n1;Ana\n2;Bea\n", None, ["not_a_record"]),
        (b"Ana Gil", None, ["not_a_record"]),
        (b"PK\x03\x04\0\xff\n\xfe\n", None, ["not_a_record"]),
        (b" \n", None, []),
    ],
)
def test_the_form_is_told_by_the_content(
    source: bytes, form: Form | None, contents: list[bytes | str] | None
) -> None:
    reader, found = read(source)
    assert reader.form == form
    assert contents is None or found == contents
    assert reader.count == len(found)


@pytest.mark.parametrize("form", [LINE, b"[" + LINE + b"]", export(LINE), b'[Format "baza/1"]'])
@pytest.mark.parametrize(
    ("codec", "encoding"),
    [("utf-8", "utf-8"), ("utf-8-sig", "utf-8-sig"), ("utf-16", "utf-16"), ("utf-16-le", "utf-16")],
)
def test_a_mark_or_utf_16_changes_nothing_and_is_named(
    form: bytes, codec: str, encoding: str
) -> None:
    reader, contents = read(form.decode().encode(codec))
    assert reader.encoding == encoding
    assert contents == read(form)[1]


def test_a_line_of_windows_is_read_and_the_encoding_named() -> None:
    line = json.dumps({**RECORD, "seats": ["Begoña", "Á"]}, ensure_ascii=False)
    reader, contents = read(line.encode("cp1252"))
    assert (reader.encoding, contents) == ("windows-1252", [line.encode()])
    assert reader.describe() == "read as a record in JSON, Windows-1252; records: 1"


def test_a_damaged_line_among_others_of_utf_8_is_no_line_of_windows() -> None:
    line = json.dumps({**RECORD, "seats": ["Begoña"]}, ensure_ascii=False).encode()
    reader, contents = read(line + b"\n" + line.replace(b"\xb1", b""))
    assert (reader.encoding, contents[1]) == ("utf-8", line.replace(b"\xb1", b""))


def test_only_utf_8_is_read_where_that_is_promised() -> None:
    reader = RecordReader(BytesIO('{"a": "ñ"}'.encode("cp1252")), only_utf_8=True)
    (record,) = reader
    assert record.content == '{"a": "ñ"}'.encode("cp1252")


def test_an_export_that_was_pasted_with_other_line_ends_is_whole() -> None:
    assert read(export(LINE, LINE).replace(b"\n", b"\r\n"))[1] == [LINE + b"\r\n"] * 2


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (b"\n".join(export(LINE, LINE).split(b"\n")[1:]), "cut_export"),
        (export(LINE).replace(b"cuatro", b"habane"), "changed_export"),
    ],
)
def test_the_last_line_of_an_export_is_checked(source: bytes, reason: str) -> None:
    reader, contents = read(source)
    assert reader.form == Form.EXPORT
    assert contents[-1] == reason


@pytest.mark.parametrize(
    ("end", "line", "column"),
    [(b"", 3, 2), (b"} ]", 3, 2), (b"]\n]", 4, 1), (b",]", 3, 3), (b",\n{bad}]", 4, 2)],
)
def test_a_broken_array_has_an_error_with_its_place(end: bytes, line: int, column: int) -> None:
    *records, last = RecordReader(BytesIO(b'\n[{"a": 1},\n2' + end))
    assert [(record.number, record.line) for record in records] == [(1, 2), (2, 3)]
    assert isinstance(last.content, RecordError)
    assert (last.content.reason, last.content.line, last.content.column) == (
        "malformed_json",
        line,
        column,
    )


def test_an_array_nested_like_a_bomb_is_refused() -> None:
    assert read(b"[" + LINE + b"," + b"[" * 100_000)[1][1:] == ["too_deep"]


def test_an_error_goes_to_other_processes() -> None:
    (error,) = (record.content for record in RecordReader(BytesIO(b"Ana\nBea")))
    assert isinstance(error, RecordError)
    assert copy(error).fault == error.fault  # by the same steps


READ_AS = {
    "00-ok.tute": ("tute", "utf-8", ["valid"]),
    "02-bom.json": ("json", "utf-8-sig", ["valid"]),
    "18-float.json": ("json", "utf-8", ["record.field"]),
    "21-version.json": ("json", "utf-8", ["record.format"]),
    "22-mixed.ndjson": ("ndjson", "utf-8", ["valid", "valid", "record.seats"]),
    "31-trunc.tute": ("tute", "utf-8", ["record.syntax"]),
    "41-esc.tute": ("tute", "utf-8", ["record.syntax"]),
    "42-esc-ruleset.json": ("json", "utf-8", ["record.ruleset"]),
    "42-esc-tagname.json": ("json", "utf-8", ["record.field"]),
    "43-export.ndjson": ("export", "utf-8", ["valid", "valid", "valid"]),
}


@pytest.mark.parametrize("name", sorted(path.name for path in INPUTS.iterdir()))
def test_every_file_is_read_by_the_command(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    form, encoding, expected = READ_AS[name]
    reader, _contents = read((INPUTS / name).read_bytes(), name)
    assert (reader.form, reader.encoding) == (form, encoding)
    assert main(["audit", "--json", str(INPUTS / name)]) == int(set(expected) != {"valid"})
    printed = capsys.readouterr()
    verdicts = [json.loads(line) for line in printed.out.splitlines()]
    found = ["valid" if each["valid"] else each["faults"][0]["code"] for each in verdicts]
    assert found == expected
    assert [len(each["faults"]) for each in verdicts] == [int(code != "valid") for code in expected]
    assert ("read as" in printed.err) == (not reader.is_plain)


MESSAGES = {
    "18-float.json": "/hands/0/points/AC: must be a whole number",
    "21-version.json": "The format baza/2 is newer: this program reads baza/1",
    "31-trunc.tute": "This is not .tute: deal takes a seat and its cards (line 79, column 1)",
}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_message_names_what_is_needed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["audit", str(INPUTS / name)])
    assert MESSAGES[name] in capsys.readouterr().out


def test_a_list_of_names_is_named_as_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pairs.csv"
    path.write_bytes("Gil, Ana;Sanz, Luis\nÚbeda, Bea;Royo, Tomás\n".encode("cp1252"))
    assert main(["audit", str(path)]) == 1
    assert "a list of names is no record" in capsys.readouterr().out


HEAD = '[Format "baza/1"]\n[Ruleset "cuatro"]\n'
HAND = "trump 7e\ndeal A 1o\nA: 1o 2o 3o 4o\npoints AC 80 BD 50\nwinner AC\n"


@pytest.mark.parametrize("dealer", ["dealer", "\x1b dealer A", "deler A", "dealer A B", ""])
def test_one_wrong_line_of_a_dealer_is_one_fault(dealer: str) -> None:
    text = f"{HEAD}dealer A\n{HAND}\n{dealer}\n{HAND}\ndealer C\n{HAND}"
    first_hand = f"{HEAD}{dealer}\n{HAND}\ndealer C\n{HAND}"
    for source in (text, first_hand) if dealer else (first_hand,):
        with pytest.raises(engine.TextError) as error:
            engine.parse_text(source)
        assert error.value.also == ()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{the forty}", "a comment begins with ; and ends with its line"),
        ('[Event "Copa "El As""]', 'a quote in its value \\"'),
        ('[Event "Copa "El As"]', 'within a text it is written \\"'),
    ],
)
def test_comments_and_quotes_of_other_notations_get_a_hint(line: str, message: str) -> None:
    with pytest.raises(engine.TextError) as error:
        engine.parse_text(f"{HEAD}{line}\n")
    assert message in engine.explain(error.value.fault)


def test_a_comment_in_braces_within_the_play_gets_a_hint() -> None:
    text = (INPUTS / "00-ok.tute").read_text(encoding="utf-8").replace("C: 1e Ce", "C: {las} 1e Ce")
    verdict = engine.audit_text(engine.parse_text(text))
    assert verdict.faults[0].code == "play.token"
    assert "a comment begins with ;" in engine.explain(verdict.faults[0])
