"""``{% load codes %}``: addresses as QR codes."""

from typing import Any

import segno
from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()


@register.simple_tag(takes_context=True)
def qr_code(context: dict[str, Any], path: str, label: str) -> SafeString:
    """Draw a QR code of the full address of a path, with the address below it.

    ``label`` describes where it leads. Black on white in the dark scheme too: cameras need it.
    """
    return format_html(
        '<figure class="qr">{}<figcaption>{}</figcaption></figure>',
        qr_picture(context, path, label),
        context["request"].build_absolute_uri(path),
    )


@register.simple_tag(takes_context=True)
def qr_picture(context: dict[str, Any], path: str, label: str) -> SafeString:
    """Draw the QR code of `qr_code` alone."""
    code = segno.make_qr(context["request"].build_absolute_uri(path), error="m")
    svg = code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr__code")
    return format_html(
        '<div role="img" aria-label="{}">{}</div>',
        label,
        mark_safe(svg),  # noqa: S308 - drawn from dots alone  # nosec B308 B703
    )
