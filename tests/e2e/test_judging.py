"""A record that is pasted, chosen or dropped is judged in the browser before it is sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from django.utils.translation import override
from playwright.sync_api import Locator, Page, expect

import engine
from tests.e2e.conftest import DESK, PHONE, Visitor
from tests.support import scenes
from tournaments.core.fault_sentences import fault_sentence
from tournaments.core.templatetags import CARDS, suit_name
from tournaments.models import Match, Record

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match() -> Match:
    """A match of a published round."""
    return scenes.running().matches()[1]


def record_of(match: Match) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(scenes.record_between(match, scenes.records_of("records")))
    return record


def spoilt(record: dict[str, Any]) -> engine.Fault:
    """Put two cards of the first hand in each other's place; return the fault that this is."""
    hand = record["hands"][0]
    tokens = hand["play"].split()
    places = [n for n, token in enumerate(tokens) if ":" not in token]
    for n, m in zip(places[4:], places[9:], strict=False):
        swapped = list(tokens)
        swapped[n], swapped[m] = tokens[m], tokens[n]
        hand["play"] = " ".join(swapped)
        fault = engine.audit(record).faults[0]
        if fault.legal and fault.code != "play.not_held":
            return fault
    raise AssertionError("every card may stand in the place of every other")


def come(
    visitor: Callable[..., Visitor],
    match: Match,
    screen: dict[str, int],
    *,
    language: str = "es",
    **more: Any,
) -> Visitor:
    user: Visitor = visitor(screen, **more)
    user.page.set_extra_http_headers({"Accept-Language": language})
    user.sign_in("organiser")
    user.go(f"/matches/{match.pk}/submit/")
    user.page.on("request", lambda request: user.seen.append(f"asked {request.url}"))
    return user


def requests_of(visitor: Visitor) -> list[str]:
    """The requests since the page was opened, but for the scripts that it is made of."""
    return [
        request
        for request in visitor.seen
        if request.startswith("asked") and "/static/" not in request
    ]


def texts_of(fault: Locator) -> tuple[list[str], list[str]]:
    """What is read of a fault at once, and what is folded."""
    parts = (
        ".fault__words, article > .fault__where > span",
        "summary, details p:not(.fault__where), details code, details a, details span",
    )
    at_once, folded = (fault.locator(part).all_text_contents() for part in parts)
    return [text.strip() for text in at_once], [text.strip() for text in folded]


def drop(page: Page, name: str, text: str) -> None:
    """Drop a file on the page."""
    page.evaluate(DROP, [name, text])


DROP = """([name, text]) => {
    const carried = new DataTransfer();
    carried.items.add(new File([text], name, { type: "text/plain" }));
    const given = { dataTransfer: carried, bubbles: true, cancelable: true };
    for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, given));
    }
}"""


def test_a_pasted_record_is_judged_at_once_with_place_rule_and_what_was_legal(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    record = record_of(match)
    fault = spoilt(record)
    user = come(visitor, match, PHONE)
    user.page.locator("[name=text]").fill(json.dumps(record))
    element = user.page.locator("[data-judged]")
    expect(element).to_contain_text("El acta no es válida")
    shown = element.locator(".fault").first
    name = record["seats"]["ABCD".index(fault.seat or "")]
    with override("es"):
        sentence = fault_sentence(fault, name, CARDS, suit_name)
    expect(shown.locator(".fault__words")).to_have_text(sentence)
    expect(shown.locator(".fault__where").first).to_have_text(f"mano 1baza {fault.trick}")
    expect(shown.locator(".hand svg")).to_have_count(len(fault.legal))
    detail = shown.locator("details")
    expect(detail.get_by_text(fault.code)).to_be_hidden()
    detail.locator("summary").click()
    expect(detail).to_contain_text(engine.explain(fault, "es"))
    expect(detail.get_by_role("link", name=f"regla {fault.rule}")).to_be_visible()
    assert requests_of(user) == []
    user.look()
    user.page.locator("[name=text]").fill("")
    expect(element).to_be_empty()


@pytest.mark.parametrize("language", ["es", "en", "de"])
def test_the_check_before_sending_says_what_the_page_of_the_refused_record_says(
    visitor: Callable[..., Visitor], match: Match, language: str
) -> None:
    record = record_of(match)
    fault = spoilt(record)
    user = come(visitor, match, PHONE, language=language)
    user.page.locator("[name=text]").fill(json.dumps(record))
    expect(user.page.locator("[data-judged] .fault")).not_to_have_count(0)
    before = texts_of(user.page.locator("[data-judged] .fault").first)
    with user.page.expect_navigation():
        user.page.locator("[data-judging] button[type=submit]").click()
    assert before == texts_of(user.page.locator(".verdict .fault").first)
    assert fault.code in before[1]
    assert fault.code not in " ".join(before[0])


def test_a_text_dropped_on_the_page_is_judged_with_its_line_and_can_be_sent_all_the_same(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    record = record_of(match)
    good = engine.write_text(record)
    spoilt(record)
    user = come(visitor, match, DESK, scheme="dark")
    drop(user.page, "acta.tute", engine.write_text(record))
    expect(user.page.locator("[data-judged]")).to_contain_text("línea")
    drop(user.page, "acta.tute", good)
    expect(user.page.locator("[data-judged]")).to_contain_text("El acta es válida")
    assert requests_of(user) == []
    user.look()
    user.press("Comprobar y entregar")
    stored_record = Record.objects.get(match=match)
    assert stored_record.state == Record.State.ACCEPTED
    assert (
        json.loads(stored_record.text)["hands"][0]["play"] == record_of(match)["hands"][0]["play"]
    )


def test_a_mark_at_the_start_of_a_file_is_no_fault(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    user = come(visitor, match, DESK)
    drop(user.page, "acta.json", "\ufeff" + json.dumps(record_of(match)))
    expect(user.page.locator("[data-judged]")).to_contain_text("El acta es válida")


def test_a_file_of_several_records_is_answered_record_by_record(
    visitor: Callable[..., Visitor], match: Match
) -> None:
    record = record_of(match)
    other = {**record, "seats": ["Ana", "Bea", "Carlos", "Diego"]}
    user = visitor(PHONE)
    user.sign_in("organiser")
    user.go(f"/t/{match.tournament.slug}/submit/")
    drop(user.page, "velada.json", json.dumps([record, other]))
    expect(user.page.locator("[data-judged]")).to_contain_text("se comprueban al entregarlas")
    user.press("Comprobar y entregar")
    answers = user.page.locator("#answers ~ .scroll tbody tr")
    expect(answers.nth(0)).to_contain_text("Aceptada: el resultado vale.")
    expect(answers.nth(1)).to_contain_text("not_a_participant")
    user.look()
    assert Record.objects.get(match=match).state == Record.State.ACCEPTED
