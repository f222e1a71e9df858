"""Refusals of parameters and of fields of a body: which one, what is wrong, what is allowed."""

from collections.abc import Collection
from typing import Any

from rest_framework import serializers
from rest_framework.settings import api_settings

from tournaments.core.errors import Reason, Refusal


def bad_parameter(
    name: str, reason: str = "value", *, allowed: Collection[object] = (), pointer: str = ""
) -> Refusal:
    """Return the refusal BAD_PARAMETER of a parameter or a field.

    ``reason`` is `unknown`, `value`, `missing` or `cursor`; ``allowed`` are the names or values
    that are possible, where they can be listed; ``pointer`` is the place in the body.
    """
    return Refusal(
        Reason.BAD_PARAMETER,
        name=name,
        reason=reason,
        allowed=[str(value) for value in allowed] or None,
        pointer=pointer or None,
    )


def first_invalid_field(serializer: serializers.BaseSerializer[Any], errors: Any) -> Refusal:
    """Return the refusal of the first field with an error; its name has the index of its row."""
    path: list[str] = []
    depth = 0
    field: Any = serializer
    allowed: Collection[object] = ()
    reason = "value"
    while isinstance(errors, dict):
        key, errors = next(iter(errors.items()))
        depth += 1
        if key == api_settings.NON_FIELD_ERRORS_KEY:
            break
        path.append(str(key))
        if not isinstance(field, serializers.Serializer):  # a list or a mapping
            field = field.child
        elif key in field.fields:
            field = field.fields[key]
        else:
            allowed, reason = list(field.fields), "unknown"
            break
    if reason != "unknown":
        is_missing = isinstance(errors, list) and errors[0].code == "required"
        reason = "missing" if is_missing else "value"
        allowed = () if is_missing else list(getattr(field, "choices", ()))
    name = "/".join(path[:2] if depth > 2 else path[:1])
    return bad_parameter(name, reason, allowed=allowed, pointer=json_pointer(path))


def json_pointer(path: Collection[str]) -> str:
    """Return a path into a JSON value as RFC 6901 writes it."""
    return "".join("/" + part.replace("~", "~0").replace("/", "~1") for part in path)
