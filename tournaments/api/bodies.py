"""What a body says, held against the shape that it must have; nothing is made to fit."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.fields import Field

from tournaments.api.reports import Body
from tournaments.errors import Reason, Refusal

Shape = type[serializers.Serializer[object]]


def said(shape: Shape, body: Body) -> dict[str, Any]:
    """Return what a body says, field by field; what it leaves out is left out.

    Refuses BAD_PARAMETER for a field that is missing or of another type than the document says.
    """
    fields = shape().get_fields()
    for name, field in fields.items():
        if name not in body and field.required:
            raise Refusal(Reason.BAD_PARAMETER, name=name)
        if name in body and not fits(field, body[name]):
            raise Refusal(Reason.BAD_PARAMETER, name=name)
    return {name: body[name] for name in fields if name in body}


def fits(field: Field[Any, Any, Any, Any], value: object) -> bool:
    """Tell whether a value is what a field of a shape may be: `"7"` and 7.0 are no integers."""
    if value is None:
        return field.allow_null
    if isinstance(field, serializers.ListField):
        return isinstance(value, list) and all(fits(field.child, item) for item in value)
    if isinstance(field, serializers.ListSerializer):
        row = field.child
        return isinstance(value, list) and all(row is None or fits(row, item) for item in value)
    if isinstance(field, serializers.Serializer):
        return isinstance(value, dict) and _fits_shape(field, value)
    if isinstance(field, serializers.IntegerField):
        return type(value) is int and _within(field, value)
    if isinstance(field, serializers.BooleanField):
        return isinstance(value, bool)
    if isinstance(field, serializers.ChoiceField):
        return isinstance(value, str) and value in field.choices
    return isinstance(value, str)


def _fits_shape(shape: serializers.Serializer[Any], value: dict[str, Any]) -> bool:
    fields = shape.get_fields()
    missing = any(field.required and name not in value for name, field in fields.items())
    known = all(name in fields and fits(fields[name], item) for name, item in value.items())
    return known and not missing


def _within(field: serializers.IntegerField, value: int) -> bool:
    least, most = field.min_value, field.max_value
    return (least is None or value >= least) and (most is None or value <= most)
