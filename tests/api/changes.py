"""What a change of the API would break for programs that follow the published document.

`python -m tests.api.changes` compares what the service says of itself now with
`docs/openapi.published.json`, the document of the last release, and exits with 1 when a program
written after that one could fail. With `--publish` it writes that file again. What counts as
breaking is in `docs/programs/api.md`: whatever could be sent must still be taken, and whatever was
promised of an answer must still be there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from tournaments.environment import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CURRENT: Final = ROOT / "docs" / "openapi.json"
PUBLISHED: Final = ROOT / "docs" / "openapi.published.json"
CODES: Final = "x-problem-codes"
MINIMUMS: Final = ("minimum", "minLength", "minItems", "exclusiveMinimum")
MAXIMUMS: Final = ("maximum", "maxLength", "maxItems", "exclusiveMaximum")
WIDENED: Final[frozenset[str]] = frozenset()
"""Where a pattern takes more than in the published document, or says what was not said."""

SAME: Final = ("pattern", "format", "const")
Document = Mapping[str, Any]
Shape = Mapping[str, Any]


@dataclass(frozen=True)
class Fit:
    """Whether every value of one shape is one of another: `inner` within `outer`.

    Of what is sent, the published shape must fit into the present one, and `is_sent` forbids that
    a field is dropped. Of an answer the present one must fit into the published one; it may have
    further fields, and further words where there is a list of them.
    """

    inner: Document
    outer: Document
    is_sent: bool

    def faults(
        self, inner: Shape, outer: Shape, place: str, visited: frozenset[Any] = frozenset()
    ) -> Iterator[str]:
        """Yield where a value of `inner` need not be one of `outer`."""
        pair = (inner.get("$ref"), outer.get("$ref"))
        if all(pair) and pair in visited:
            return
        visited |= {pair}
        inner, outer = resolved(inner, self.inner), resolved(outer, self.outer)
        inner_forms, other = alternatives(inner), alternatives(outer)
        if len(inner_forms) > 1 or len(other) > 1:
            for choice in inner_forms:
                if all(list(self.faults(choice, wide, place, visited)) for wide in other):
                    yield f"{place}: a form of it fits none of the other's"
            return
        yield from self._of_values(inner, outer, place)
        yield from self._of_fields(inner, outer, place, visited)
        for part in ("items", "additionalProperties"):
            if isinstance(outer.get(part), dict):
                below = inner.get(part)
                yield from self.faults(
                    below if isinstance(below, dict) else {},
                    outer[part],
                    f"{place}/{part}",
                    visited,
                )

    def _of_values(self, inner: Shape, outer: Shape, place: str) -> Iterator[str]:
        if "type" in outer and not types(inner) <= types(outer):
            yield f"{place}: its type was {' or '.join(sorted(types(inner)))}"
        if self.is_sent and "enum" in outer and not words(inner) <= words(outer):
            lost = sorted(map(str, words(inner) - words(outer))) or ["any value"]
            yield f"{place}: no longer takes {', '.join(lost)}"
        if not self.is_sent and "enum" in outer and "enum" not in inner:
            yield f"{place}: is no longer one of a list of words"
        for name in MINIMUMS:
            if name in outer and inner.get(name, float("-inf")) < outer[name]:
                yield f"{place}: {name} differs"
        for name in MAXIMUMS:
            if name in outer and inner.get(name, float("inf")) > outer[name]:
                yield f"{place}: {name} differs"
        for name in SAME:
            if name in outer and inner.get(name) != outer[name] and place not in WIDENED:
                yield f"{place}: {name} differs"

    def _of_fields(
        self, inner: Shape, outer: Shape, place: str, visited: frozenset[Any]
    ) -> Iterator[str]:
        fields, others = inner.get("properties", {}), outer.get("properties", {})
        for name in sorted(set(outer.get("required", ())) - set(inner.get("required", ()))):
            yield f"{place}/{name}: {'is wanted now' if self.is_sent else 'need not be there now'}"
        closed = outer.get("additionalProperties") is False
        if self.is_sent and closed and inner.get("additionalProperties") is not False:
            yield f"{place}: no longer takes fields of other names"
        reader_fields, writer_fields = (others, fields) if self.is_sent else (fields, others)
        for name in sorted(set(writer_fields) - set(reader_fields)):
            yield f"{place}/{name}: is gone"
        for name in sorted(set(fields) & set(others)):
            yield from self.faults(fields[name], others[name], f"{place}/{name}", visited)


def resolved(shape: Shape, document: Document) -> Shape:
    """Return the shape that is meant, with what is joined by `allOf` put together."""
    while "$ref" in shape:
        node: Any = document
        for part in shape["$ref"].removeprefix("#/").split("/"):
            node = node[part]
        shape = node
    for part in shape.get("allOf", ()):
        joined = {**resolved(part, document), **{k: v for k, v in shape.items() if k != "allOf"}}
        shape = joined
    return shape


def alternatives(shape: Shape) -> list[Shape]:
    """Return the shapes of which a value has one."""
    return list(shape.get("oneOf") or shape.get("anyOf") or [shape])


def types(shape: Shape) -> set[str]:
    """Return the types that a value may have; an integer is a number as well."""
    type_names = shape.get("type", ["any"])
    kinds = {type_names} if isinstance(type_names, str) else set(type_names)
    return kinds | {"integer"} if "number" in kinds else kinds


def words(shape: Shape) -> set[Any]:
    """Return the values that are listed; one that stands for all others where none are."""
    return set(shape.get("enum", ["any value"]))


def breaks(published: Document, current: Document) -> Iterator[str]:
    """Yield what a program that follows the published document would stumble over, in a line."""
    for path, operations in published["paths"].items():
        for method, operation in operations.items():
            new_operation = current["paths"].get(path, {}).get(method)
            place = f"{method.upper()} {path}"
            if new_operation is None:
                yield f"{place}: is gone"
                continue
            if new_operation["operationId"] != operation["operationId"]:
                yield f"{place}: is no longer named {operation['operationId']}"
            if {} in operation.get("security", [{}]) and {} not in new_operation.get(
                "security", [{}]
            ):
                yield f"{place}: wants a token now"
            fit = Fit(published, current, is_sent=True)
            yield from parameters(fit, operation, new_operation, place)
            yield from bodies(fit, operation, new_operation, place)
            yield from answers(
                Fit(current, published, is_sent=False), new_operation, operation, place
            )
    yield from components(published, current)
    for code, statuses in published.get(CODES, {}).items():
        if current.get(CODES, {}).get(code) != statuses:
            yield f"problem {code}: is gone, or comes with another status"


def components(published: Document, current: Document) -> Iterator[str]:
    """Compare what operations share by name: programs are generated with these names.

    The shapes are compared where they are used; how a token is sent is stated here alone.
    """
    before, after = published.get("components", {}), current.get("components", {})
    for kind, shared in before.items():
        for name in sorted(shared.keys() - after.get(kind, {}).keys()):
            yield f"{kind} {name}: is gone"
    for name, scheme in before.get("securitySchemes", {}).items():
        new_scheme = after.get("securitySchemes", {}).get(name, scheme)
        for field in sorted((scheme.keys() | new_scheme.keys()) - {"description"}):
            if scheme.get(field) != new_scheme.get(field):
                yield f"securitySchemes {name}: {field} differs"


def parameters(fit: Fit, old: Shape, new: Shape, place: str) -> Iterator[str]:
    """Compare the parameters in the address and the headers of a request."""
    before = {
        (parameter["in"], parameter["name"]): parameter for parameter in old.get("parameters", ())
    }
    after = {
        (parameter["in"], parameter["name"]): parameter for parameter in new.get("parameters", ())
    }
    for key in sorted(before.keys() - after.keys()):
        yield f"{place}: the parameter {key[1]} is gone"
    for key, new_parameter in after.items():
        was = before.get(key)
        if new_parameter.get("required") and not (was and was.get("required")):
            yield f"{place}: the parameter {key[1]} is wanted now"
        if was:
            yield from fit.faults(was["schema"], new_parameter["schema"], f"{place} {key[1]}")


def bodies(fit: Fit, old: Shape, new: Shape, place: str) -> Iterator[str]:
    """Compare the bodies of a request."""
    before, after = old.get("requestBody", {}), new.get("requestBody", {})
    if after.get("required") and not before.get("required"):
        yield f"{place}: a body is wanted now"
    for kind, content in before.get("content", {}).items():
        if kind not in after.get("content", {}):
            yield f"{place}: no longer takes {kind}"
            continue
        yield from fit.faults(content["schema"], after["content"][kind]["schema"], f"{place} body")


def answers(fit: Fit, new: Shape, old: Shape, place: str) -> Iterator[str]:
    """Compare what comes back; further refusals may be added, other successes may not go."""
    for status, response in old["responses"].items():
        was = resolved(response, fit.outer)
        new_response = resolved(new["responses"].get(status, {}), fit.inner)
        if not new_response:
            yield f"{place}: no longer answers {status}"
            continue
        for name in was.get("headers", {}).keys() - new_response.get("headers", {}).keys():
            yield f"{place} {status}: the header {name} is gone"
        for kind, content in was.get("content", {}).items():
            if kind not in new_response.get("content", {}):
                yield f"{place} {status}: is no longer {kind}"
                continue
            shape = new_response["content"][kind]["schema"]
            yield from fit.faults(shape, content["schema"], f"{place} {status}")


def described() -> Document:
    """Return what the service says of itself now, with the codes of its problems."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    import django
    from django.core.management import call_command
    from django.utils.translation import override

    django.setup()
    from tournaments.core.api.problems import kinds

    output = StringIO()
    options = ("--format", "openapi-json", "--validate", "--fail-on-warn")
    with override("en"):
        call_command("spectacular", *options, stdout=output)
        codes = {kind.code: list(kind.status) for kind in kinds()}
    return {**json.loads(output.getvalue()), CODES: codes}


def read(path: Path) -> Document:
    """Read a document."""
    document: Document = json.loads(path.read_text(encoding="utf-8"))
    return document


def main() -> int:
    """Compare, or publish."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--publish", action="store_true", help="this is the document of a release")
    current = described()
    if parser.parse_args().publish:
        text = json.dumps(current, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
        PUBLISHED.write_text(text + "\n", encoding="utf-8")
        return 0
    faults = list(breaks(read(PUBLISHED), current))
    if {**read(CURRENT), CODES: current[CODES]} != current:
        faults.append(f"{CURRENT.relative_to(ROOT)} is not what the service says: write it anew")
    sys.stdout.writelines(f"{fault}\n" for fault in faults)
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
