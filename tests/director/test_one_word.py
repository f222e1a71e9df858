"""One word for a verb of an entry: in the rules, the service, the page's form and the API."""

import pytest
from django.urls import reverse

from tournaments.director.services import absences, entries, substitutions
from tournaments.director.views.entries import ENTRY_BUTTONS
from tournaments.domain.state import RULES, EntryFacts

OWN_WORDS = {"change", "rate"}  # rules of several services, which have no door of their own
SERVICES = {**vars(absences), **vars(entries), **vars(substitutions)}


@pytest.mark.parametrize("verb", sorted(set(RULES[EntryFacts]) - OWN_WORDS))
def test_a_rule_is_a_service_a_form_and_an_address(verb: str) -> None:
    word = verb.replace("_", "-")
    assert verb in SERVICES or f"{verb}_entry" in SERVICES
    assert word in ENTRY_BUTTONS
    if verb != "describe":  # PATCH
        path = reverse(f"api:{word}" if verb != "remove" else "api:remove-entry", args=["copa", 1])
        assert path == f"/api/v1/tournaments/copa/entries/1/{word}/"
