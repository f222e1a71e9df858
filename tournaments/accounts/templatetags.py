"""``{% load accounts %}``: the name of a browser."""

from typing import Final

from django import template
from django.utils.translation import gettext

register = template.Library()

BROWSERS: Final = (
    ("Edg/", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Marks of browsers in user agents. Order matters: Edge and Opera also name Chrome and Safari."""

SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


@register.filter
def device_name(agent: str) -> str:
    """``"Mozilla/5.0 (X11; Linux x86_64) … Firefox/140.0"`` → "Firefox on Linux"."""
    browser = next((name for token, name in BROWSERS if token in agent), "")
    system = next((name for token, name in SYSTEMS if token in agent), "")
    if browser and system:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return browser or system or gettext("An unknown browser")
