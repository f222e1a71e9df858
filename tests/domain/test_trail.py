"""A chain of events: its exact form, and that no change of it goes unseen."""

import hashlib
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.trails import (
    KEY,
    SEED,
    chained,
    checkpoint,
    first,
    history,
    rechained,
    walked,
)
from tests.quick import examples
from tournaments.domain.trail.chain import FIRST, REDACTED, Event, Texts, canonical, commitment
from tournaments.domain.trail.checking import MAX_FAULTS, faults_of
from tournaments.domain.trail.checkpoints import is_signed, public_key, sign
from tournaments.environment import ROOT

LENGTH = 6


def by_hand(document: Any) -> bytes:
    return json.dumps(document, sort_keys=True, separators=(",", ":")).encode()


def test_the_example_of_the_documents_comes_out_with_nothing_but_json_and_sha256() -> None:
    (event,) = history(1)
    texts = {"actor": "olga 1", "facts": {"match": "liga/1/1", "n": 1}, "subject": "Liga de Peñas"}
    salted = b"baza-texts/1\n" + bytes.fromhex("0" * 31 + "1") + by_hand(texts)
    committed = hashlib.sha256(salted).hexdigest()
    row = {
        "at": "2026-11-21T20:15:01.000000Z",
        "club": 3,
        "sequence": 1,
        "subject_pk": 41,
        "subject_type": "match",
        "texts": committed,
        "tournament": None,
        "verb": "entries.added",
    }
    own_digest = hashlib.sha256(b"baza-event/1\n" + by_hand(row)).hexdigest()
    tie = by_hand({"before": "0" * 64, "says": own_digest})
    digest = hashlib.sha256(b"baza-link/1\n" + tie).hexdigest()
    assert (event.texts_digest, event.digest) == (committed, digest)
    text = (ROOT / "docs" / "operators" / "audit.md").read_text(encoding="utf-8")
    for value in (committed, own_digest, digest, by_hand(texts).decode(), by_hand(row).decode()):
        assert value in text


def test_the_form_that_is_hashed_has_one_spelling_for_a_number() -> None:
    assert canonical({"b": 1.0, "a": [1, 1.5, True, None], 3: "ñ", "c": ({20: 2.0}, {3: 1})}) == (
        rb'{"3":"\u00f1","a":[1,1.5,true,null],"b":1,"c":[{"20":2},{"3":1}]}'
    )
    for number in (2**53 + 1, 1e300, float("nan"), float("inf")):
        with pytest.raises(ValueError, match=r"number|JSON"):
            canonical({"n": number})


def test_a_history_as_it_was_written_holds() -> None:
    events = history(LENGTH)
    first_checkpoint = checkpoint(events[:3])
    two = checkpoint(events, 2, first_checkpoint.own_digest())
    chain_report = walked(events, first_checkpoint, two)
    assert chain_report.holds
    assert (chain_report.last, chain_report.head) == (LENGTH, events[-1].digest)
    assert list(faults_of([first_checkpoint, two], {KEY})) == []


COVERED: dict[str, st.SearchStrategy[Any]] = {
    "club": st.integers(1, 9),
    "tournament": st.none() | st.integers(1, 9),
    "verb": st.text(max_size=9),
    "subject_type": st.text(max_size=9),
    "subject_pk": st.integers(0, 90),
    "at": st.just("2026-11-21T20:15:01.000001Z"),
    "salt": st.just("") | st.binary(min_size=16, max_size=16).map(bytes.hex),
    "texts_digest": st.binary(min_size=32, max_size=32).map(bytes.hex),
    "digest": st.just("") | st.binary(min_size=32, max_size=32).map(bytes.hex),
}
WORDS = st.text(max_size=9)
TEXT: dict[str, st.SearchStrategy[Any]] = {
    "actor": WORDS,
    "subject": WORDS,
    "facts": st.dictionaries(WORDS, st.none() | st.booleans() | st.integers(-9, 9) | WORDS),
}


@settings(max_examples=examples(300))
@given(st.data())
def test_a_change_of_any_column_is_found_at_its_event_or_the_next(data: st.DataObject) -> None:
    events = history(LENGTH)
    place = data.draw(st.integers(0, LENGTH - 1))
    name = data.draw(st.sampled_from([*COVERED, *TEXT]))
    event = events[place]
    new: dict[str, Any] = {name: data.draw({**COVERED, **TEXT}[name])}
    if name in TEXT:
        changed = replace(event, texts=replace(event.texts, **new))
    else:
        changed = replace(event, **new)
    events[place] = changed
    chain_report = walked(events, checkpoint(history(LENGTH)))
    if changed == event:
        assert chain_report.holds
    else:
        assert first(chain_report)[1] in {place + 1, place + 2}


@given(st.integers(1, LENGTH - 1), st.integers(1, LENGTH))
def test_what_is_taken_out_is_missed_where_it_was(count: int, start: int) -> None:
    events = history(LENGTH)
    left = [event for event in events if not start <= event.sequence < start + count]
    chain_report = walked(left, checkpoint(events))
    code = "deleted" if start + count <= LENGTH else "truncated"
    assert first(chain_report) == (code, start)


@given(st.integers(1, LENGTH))
def test_what_is_put_in_is_found_where_it_is(place: int) -> None:
    events = history(LENGTH)
    before = events[place - 2].digest if place > 1 else FIRST
    forged = chained(replace(events[0], sequence=place, verb="test.forged"), before)
    later = [replace(event, sequence=event.sequence + 1) for event in events[place - 1 :]]
    chain_report = walked([*events[: place - 1], forged, *later], checkpoint(events))
    assert first(chain_report) == ("inserted", place)


def test_two_events_that_change_places_are_found() -> None:
    events = history(LENGTH)
    events[2], events[3] = replace(events[3], sequence=3), replace(events[2], sequence=4)
    assert first(walked(events)) == ("edited", 3)


@given(st.integers(0, LENGTH - 1))
def test_a_history_written_again_does_not_fit_what_was_signed(place: int) -> None:
    events = history(LENGTH)
    signed = checkpoint(events[:2]), checkpoint(events, 2)
    events[place] = replace(events[place], verb="test.forged")
    anew = rechained(events)
    assert walked(anew).holds, "nothing but a signature tells"
    assert first(walked(anew, *signed)) == ("rewritten", 1 if place < 2 else 3)


def redacted(events: list[Event]) -> list[Event]:
    """Replace the texts of event 2, and say so in one more event."""
    new = Texts("somebody", "Liga de Peñas", {})
    bare = replace(events[1], texts=new, salt="")
    facts = {"events": [[2, commitment(new, "")]]}
    tells = Event(
        **{name: getattr(events[0], name) for name in ("club", "tournament", "subject_pk", "at")},
        sequence=len(events) + 1,
        verb=REDACTED,
        subject_type="club",
        texts=Texts("account 7", "1", facts),
        salt="ab" * 16,
        texts_digest="",
        digest="",
    )
    return [events[0], bare, *events[2:], chained(tells, events[-1].digest)]


def test_texts_are_taken_out_and_the_chain_still_holds() -> None:
    events = redacted(history(LENGTH))
    chain_report = walked(events, checkpoint(history(LENGTH)))
    assert chain_report.holds
    assert chain_report.redacted == (2,)


def test_texts_taken_out_without_a_word_are_found() -> None:
    events = redacted(history(LENGTH))
    assert first(walked(events[:-1])) == ("uncovered_redaction", 2)
    other_event = replace(events[1], texts=Texts("somebody else", "Liga", {}))
    assert first(walked([events[0], other_event, *events[2:]])) == ("uncovered_redaction", 2)


def test_an_event_cannot_tell_of_what_comes_after_it() -> None:
    events = history(2)
    facts = {"events": [[3, commitment(Texts("x", "x", {}), "")]]}
    early = replace(events[1], verb=REDACTED, texts=Texts("account 7", "1", facts))
    assert first(walked(rechained([events[0], early]))) == ("bad_redaction", 2)


def test_a_signature_is_of_one_key_and_one_text() -> None:
    signed_checkpoint = checkpoint(history(2))
    assert is_signed(signed_checkpoint)
    assert public_key(SEED) == KEY
    for changed in (
        replace(signed_checkpoint, sequence=1),
        replace(signed_checkpoint, digest="f" * 64),
        replace(signed_checkpoint, at="2026-11-21T20:15:09.000000Z"),
        replace(signed_checkpoint, signature="00" * 64),
        replace(signed_checkpoint, signature="no"),
    ):
        assert [fault.code for fault in faults_of([changed], {KEY})] == ["bad_signature"]
    other = sign(signed_checkpoint, "22" * 32)
    assert [fault.code for fault in faults_of([other], {KEY})] == ["unknown_key"]


def test_checkpoints_follow_one_another() -> None:
    events = history(3)
    first_checkpoint = checkpoint(events[:1])
    two = checkpoint(events[:2], 2, first_checkpoint.own_digest())
    three = checkpoint(events, 3, two.own_digest())
    assert list(faults_of([first_checkpoint, two, three], {KEY})) == []
    missing = next(faults_of([first_checkpoint, three], {KEY}))
    assert (missing.code, missing.facts["checkpoint"]) == ("checkpoint_missing", 2)
    assert next(faults_of([two, three], {KEY})).code == "checkpoint_missing"
    loose = checkpoint(events[:2], 2, "f" * 64)
    assert [fault.code for fault in faults_of([first_checkpoint, loose], {KEY})] == [
        "checkpoint_changed"
    ]


def test_a_walk_keeps_no_more_faults_than_it_mentions() -> None:
    events = [replace(event, verb="test.forged") for event in history(50) * 3]
    assert len(walked(events).faults) == MAX_FAULTS
