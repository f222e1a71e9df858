"""Writes an answer as text that can be read, compared and shown as a diff."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from html.parser import HTMLParser
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

import openpyxl

from tests.sheets.reading import pages_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

VOID: Final = frozenset(
    ("area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "use", "wbr")
)
FRAME: Final = frozenset((("head", None), ("header", "top"), ("footer", "bottom")))
"""The parts that all pages share, by tag and class: other attributes may change."""
REFUSED: Final = frozenset((401, 403, 404, 405, 409, 410))
"""Of a page that refuses, the main heading is kept: `tests/web` reads these pages."""
MASKED_HEADERS: Final = frozenset(
    (
        # They follow from the body, from the request or from the moment, not from the route.
        *("content-length", "etag", "x-request-id", "server-timing", "date", "ratelimit-reset"),
        *("ratelimit", "ratelimit-policy"),
        # No token's answer has them, every other has: tests/core/test_cross_origin_api.py.
        *("access-control-allow-origin", "access-control-expose-headers"),
    )
)
MASKS: Final = (
    (re.compile(r'(name="csrfmiddlewaretoken" type="hidden" value=")[^"]+'), r"\1…"),
    (re.compile(r"\b[0-9a-f]{32}\b"), "…"),  # the number of the request
    (re.compile(r"/arena/board/\?seen=[0-9a-f]+"), "/arena/board/?seen=…"),
    (re.compile(r"^( *)[\w.-]+:\d+$"), r"\1…"),  # a worker: host and process
    (re.compile(r"^( *)\d\d:\d\d:\d\d$"), r"\1…"),  # by the database's clock
    (re.compile(r'("(?:due|next)_at": ")[^"]+'), r"\1…"),
    (re.compile(r'("made_by": "baza )[^"]+'), r"\1…"),  # the version of the program
)


class _Lines(HTMLParser):
    """Collects a line for each tag and each text, indented by depth, attributes sorted."""

    def __init__(self, with_frame: bool) -> None:
        super().__init__(convert_charrefs=True)
        self.with_frame = with_frame
        self.lines: list[str] = []
        self.depth = 0
        self.frame = -1
        """The depth of the part of the frame that is left out now; -1 outside of it."""

    def add(self, text: str) -> None:
        if self.frame < 0:
            self.lines.append(" " * self.depth + text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = [
            name if value is None else f'{name}="{" ".join(value.split())}"'
            for name, value in sorted(attrs, key=lambda pair: pair[0])
        ]
        is_frame = not self.with_frame and (tag, dict(attrs).get("class")) in FRAME
        if is_frame and self.frame < 0:
            self.add(f"<{tag}>")
            self.frame = self.depth
        self.add(f"<{' '.join([tag, *attributes])}>")
        self.depth += tag not in VOID

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.depth -= tag not in VOID

    def handle_endtag(self, tag: str) -> None:
        self.depth = max(0, self.depth - (tag not in VOID))
        if self.depth <= self.frame:
            self.frame = -1

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.add(" ".join(data.split()))


def html_lines(text: str, with_frame: bool = True) -> list[str]:
    """Return the tags and texts of a page, one a line; white space between tags is dropped."""
    parser = _Lines(with_frame)
    parser.feed(text)
    parser.close()
    return parser.lines


def headings(lines: list[str]) -> list[str]:
    """Return the text of a page's main heading."""
    start = next((at for at, line in enumerate(lines) if line.strip().startswith("<h1")), None)
    return [] if start is None else [line.strip() for line in lines[start + 1 : start + 2]]


def body_lines(content_type: str, content: bytes, with_frame: bool = True) -> list[str]:
    """Return a body as lines: markup by tag, JSON indented, PDF by its texts, others by digest."""
    if "html" in content_type:
        return html_lines(content.decode(), with_frame)
    if content_type.endswith(("/json", "+json")):
        # jsonb does not keep the order of keys: the two databases answer in different orders.
        document = json.loads(content)
        return json.dumps(document, indent=1, ensure_ascii=False, sort_keys=True).splitlines()
    if content_type == "application/pdf":
        return [text.text for page in pages_of(content) for text in page]
    if content_type.endswith("spreadsheetml.sheet"):
        return [str(row) for row in openpyxl.load_workbook(BytesIO(content)).active.values]
    if content_type.startswith("text/") or "xml" in content_type or "ndjson" in content_type:
        return content.decode().splitlines()
    return [f"sha256 {hashlib.sha256(content).hexdigest()}" if content else ""]


def render_answer(answer: Any, usual: Mapping[str, str], with_frame: bool = False) -> list[str]:
    """Return status, the headers that differ from ``usual``, and the body of an answer.

    The frame of a page is left out unless ``with_frame``, and of a refusal only the heading is
    kept: one change of the frame had changed 150 recordings.
    """
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    content_type = answer.headers.get("Content-Type", "")
    fields, common = sort_methods(answer.headers), sort_methods(usual)
    headers = {
        name: value
        for name, value in sorted(fields.items())
        if name.lower() not in MASKED_HEADERS and common.get(name) != value
    }
    lines = [str(answer.status_code), *(f"{name}: {value}" for name, value in headers.items())]
    missing = [name for name in usual if name not in answer.headers]
    lines += [f"Without {name}" for name in missing if name.lower() not in MASKED_HEADERS]
    lines += [f"Set-Cookie: {name}" for name in sorted(answer.cookies)]
    body = body_lines(content_type.split(";")[0], content, with_frame)
    if answer.status_code in REFUSED and "html" in content_type:
        body = headings(body)
    return [mask(line) for line in (*lines, "", *body)]


def against(shown: list[str], sent: list[str]) -> list[str]:
    """Return what a sent form changed in the page that was read before, if it is that page."""
    changes = [
        line
        for line in difflib.unified_diff(shown, sent, n=0, lineterm="")
        if not line.startswith(("---", "+++", "@@"))
    ]
    return ["as read, but", *changes] if len(changes) < len(sent) else sent


def sort_methods(headers: Mapping[str, str]) -> dict[str, str]:
    """Return headers with the methods of `Allow` sorted: DRF's order differs between processes."""
    return {
        name: ", ".join(sorted(value.split(", "))) if name == "Allow" else value
        for name, value in headers.items()
    }


def mask(line: str) -> str:
    """Replace what is different at every request: form tokens and request numbers."""
    for pattern, instead in MASKS:
        line = pattern.sub(instead, line)
    return line


def render_roles(title: str, answers: Mapping[str, list[str]]) -> Iterable[str]:
    """Return the answers of one address: whole for the first role, as a diff for the others.

    Roles that are answered alike share one heading.
    """
    alike: dict[tuple[str, ...], list[str]] = {}
    for role, response in answers.items():
        alike.setdefault(tuple(response), []).append(role)
    yield f"=== {title}"
    rows: list[tuple[str, tuple[str, ...]]] = []
    for lines, roles in alike.items():
        base = next(((name, old) for name, old in rows if old[0] == lines[0]), None)
        if base is None:
            yield f"--- {', '.join(roles)}"
            yield from lines
        else:
            yield f"--- {', '.join(roles)}: as {base[0]}, but"
            changes = difflib.unified_diff(base[1], lines, n=0, lineterm="")
            yield from (line for line in changes if not line.startswith(("---", "+++")))
        rows.append((roles[0], lines))
    yield ""
