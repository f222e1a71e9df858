"""A hand is stepped through to its last card, of whatever game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.support.bot_tables import a_bot_match, played

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.e2e.conftest import Visitor

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

STEP_TO_THE_END = """() => {
  const forward = document.querySelector("[data-go=forward]");
  const seen = [];
  while (forward.getAttribute("aria-disabled") === "false") {
    forward.click();
    for (const card of document.querySelectorAll("[data-place] [data-card]")) {
      seen.push(card.dataset.card);
    }
  }
  return seen;
}"""  # one call: a press at a time takes minutes


@pytest.mark.parametrize(("ruleset", "seats"), [("habanero", "AB"), ("arrastrado", "ABC")])
def test_all_cards_lie_on_the_table_in_their_turn_those_of_the_stock_too(
    visitor: Callable[..., Visitor], ruleset: str, seats: str
) -> None:
    match = played(a_bot_match(ruleset=ruleset))
    reader = visitor()
    page = reader.page
    reader.go(f"/matches/{match.pk}/hands/1/")
    expect(page.locator("[data-hand-of]")).to_have_count(len(seats))
    last = page.locator("[data-slider]").get_attribute("max")
    states = page.evaluate(STEP_TO_THE_END)
    expect(page.locator("[data-count]")).to_have_text(f"{last} / {last}")
    play = match.records.get().hands.get(number=1).play or ""
    assert {token for token in play.split() if ":" not in token} <= set(states)
    reader.look()
