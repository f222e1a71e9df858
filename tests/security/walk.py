"""A walk through the pages as an organiser: every form and every parameter that they offer."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any, ClassVar, Final
from urllib.parse import parse_qsl, urljoin, urlsplit

from django.http import QueryDict
from django.urls import Resolver404, resolve

from tests.support.scenes import PASSWORD

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pytest
    from django.test import Client

MAX_PER_ROUTE: Final = 2
"""Pages of one route that are looked at, each of another club, tournament or bot."""

LEADS_AWAY: Final = frozenset({"logout"})
TYPED: Final = {
    "email": "ana@example.org",
    "password": PASSWORD,
    "url": "https://club.example/baza",
    "number": "1",
    "date": "2030-05-01",
    "datetime-local": "2030-05-01T20:00",
    "time": "20:00",
}
"""What is typed into an empty field of a type; into any other, a word."""


@dataclass(frozen=True)
class Control:
    """A field of a form as a browser would send it; ``is_text``: anything may be typed into it."""

    name: str
    value: str
    is_text: bool = False


@dataclass(frozen=True)
class PageForm:
    """A form on a page; ``route`` is the name of the address that it is sent to."""

    path: str
    route: str
    method: str
    controls: tuple[Control, ...]

    @property
    def data(self) -> dict[str, list[str]]:
        """What a browser sends."""
        texts: dict[str, list[str]] = {}
        for control in self.controls:
            texts.setdefault(control.name, []).append(control.value)
        return texts

    @property
    def label(self) -> str:
        """How a failure names the form."""
        names = " ".join(sorted({control.name for control in self.controls} - {"form_key"}))
        return f"{self.path} ({names})"


class Forms(HTMLParser):
    """Collects links, and forms with what their fields hold."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page
        self.links: list[str] = []
        self.forms: list[PageForm] = []
        self.form: dict[str, str] | None = None
        self.controls: list[Control] = []
        self.groups: set[str] = set()
        self.select: dict[str, Any] | None = None
        self.area: str | None = None
        self.has_button = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
        elif tag == "form":
            self.form, self.controls, self.groups, self.has_button = attributes, [], set(), False
        elif self.form is not None:
            self.handle_control(tag, attributes)

    def handle_control(self, tag: str, attributes: dict[str, str]) -> None:
        name = attributes.get("name", "")
        if tag == "option" and self.select is not None:
            value = attributes.get("value", "")
            if "selected" in attributes or not self.select["value"]:
                self.select["value"] = value
        elif tag == "button" and not self.has_button:
            self.has_button = True
            if name:
                self.controls.append(Control(name, attributes.get("value", "")))
        elif not name or "disabled" in attributes:
            return
        elif tag == "select":
            self.select = {"name": name, "value": ""}
        elif tag == "textarea":
            self.area = name
            self.controls.append(Control(name, "Prueba", is_text=True))
        elif tag == "input":
            self.handle_input(name, attributes)

    def handle_input(self, name: str, attributes: dict[str, str]) -> None:
        kind, value = attributes.get("type", "text"), attributes.get("value", "")
        if kind in {"radio", "checkbox"}:
            if "checked" in attributes or name not in self.groups:
                if "checked" in attributes and kind == "radio":
                    self.controls = [control for control in self.controls if control.name != name]
                self.controls.append(Control(name, value or "on"))
            self.groups.add(name)
        elif kind not in {"file", "submit"} and name != "csrfmiddlewaretoken":
            is_text = kind in {"text", "search", "hidden", "email", "password", "url", "number"}
            value = value or attributes.get("min", "") or TYPED.get(kind, "Prueba")
            self.controls.append(Control(name, value, is_text and name != "form_key"))

    def handle_endtag(self, tag: str) -> None:
        if tag == "select" and self.select is not None:
            self.controls.append(Control(self.select["name"], self.select["value"]))
            self.select = None
        elif tag == "form" and self.form is not None:
            path = urlsplit(urljoin(self.page, self.form.get("action") or self.page)).path
            method = self.form.get("method", "get").lower()
            self.forms.append(PageForm(path, route_of(path), method, tuple(self.controls)))
            self.form = None


def route_of(path: str) -> str:
    """Return the name of the route of a path, with a verb that it may hold; empty for none."""
    try:
        match = resolve(path)
    except Resolver404:
        return ""
    if match.namespaces or match.url_name is None:  # the API, the admin
        return ""
    return " ".join(filter(None, [match.url_name, str(match.kwargs.get("verb", ""))]))


@dataclass
class Walk:
    """What a walk has found: the pages with the parameters they know, and the forms."""

    pages: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    forms: dict[tuple[str, str, frozenset[str]], PageForm] = field(default_factory=dict)

    def posts(self) -> Iterator[PageForm]:
        """The forms that are posted, one of a kind."""
        yield from (form for form in self.forms.values() if form.method == "post")


class Recording(QueryDict):
    """A query that notes which parameters a view asks for."""

    asked: ClassVar[set[str]] = set()

    def __getitem__(self, key: str) -> Any:
        self.asked.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.asked.add(str(key))
        return super().__contains__(key)

    def getlist(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().getlist(key, default)


def walk(client: Client, patch: pytest.MonkeyPatch) -> Walk:
    """Follow all links from the front page."""
    result, queue = Walk(), ["/"]
    of_route: Counter[str] = Counter()
    patch.setattr("django.core.handlers.wsgi.QueryDict", Recording)
    while queue:
        path = queue.pop(0)
        Recording.asked.clear()
        response = client.get(path)
        assert response.status_code < 500, path
        result.pages[path].update(Recording.asked)
        if response.status_code != 200 or "html" not in response["Content-Type"]:
            continue
        page = Forms(path)
        page.feed(response.content.decode())
        for form in page.forms:
            if form.route and form.route not in LEADS_AWAY:
                result.forms.setdefault((form.method, form.route, frozenset(form.data)), form)
        for link in page.links:
            target = urlsplit(urljoin(path, link))
            route = "" if target.netloc else route_of(target.path)
            is_new = target.path not in result.pages and of_route[route] < MAX_PER_ROUTE
            if route and is_new:
                of_route[route] += 1
                queue.append(target.path)
            if route and (is_new or target.path in result.pages):
                result.pages[target.path].update(name for name, _ in parse_qsl(target.query))
    patch.undo()
    return result
