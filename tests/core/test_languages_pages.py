"""The language switch: a link that works without a script and without a token."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db


def links(page: str) -> dict[str, str]:
    """Return the addresses of the language switch, by language."""
    occurrences = re.findall(r'href="([^"]+setlang[^"]+)" hreflang="(\w+)"', page)
    return {language: unescape(address) for address, language in occurrences}


def test_a_link_sets_the_language_and_leads_back_to_the_page() -> None:
    client = Client(headers={"Accept-Language": "es"})
    hrefs = links(client.get("/clubs/", {"q": "tute & más"}).content.decode())
    assert set(hrefs) == {"es", "en", "de"}
    response = client.get(hrefs["de"])
    assert response.status_code == 302
    assert response["Location"] == "/clubs/?q=tute+%26+m%C3%A1s"
    assert "no-store" in response["Cache-Control"]
    assert 'lang="de"' in client.get("/").content.decode()


@pytest.mark.parametrize("address", ["https://evil.example/", "//evil.example/", "javascript:1"])
def test_a_link_leads_to_no_other_site(address: str) -> None:
    response = Client().get("/i18n/setlang/", {"language": "en", "next": address})
    assert response["Location"] == "/"


@pytest.mark.parametrize("language", ["", "fr", "../en", "en\r\nSet-Cookie: a=b"])
def test_a_language_that_there_is_not_changes_nothing(language: str) -> None:
    response = Client().get("/i18n/setlang/", {"language": language, "next": "/help/"})
    assert response["Location"] == "/help/"
    assert not response.cookies


def test_a_form_of_a_page_of_before_still_works() -> None:
    client = Client()
    response = client.post("/i18n/setlang/", {"language": "en", "next": "/help/"})
    assert response["Location"] == "/help/"
    assert client.cookies["django_language"].value == "en"
