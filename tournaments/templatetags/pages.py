"""``{% load pages %}``: small questions that pages ask of plain values."""

from collections.abc import Mapping
from typing import Any

from django import template

register = template.Library()


@register.filter
def at(mapping: Mapping[str, Any] | None, key: str | None) -> Any:
    """``{{ names|at:seat }}``: what stands under a key, or nothing."""
    return mapping.get(key) if mapping and key is not None else None


@register.filter
def signed(number: int) -> str:
    """``3`` → "+3", ``-3`` → "−3", with the sign that stands as wide as a digit."""
    return f"{number:+d}".replace("-", "−") if number else "0"
