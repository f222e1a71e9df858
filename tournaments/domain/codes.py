"""Codes of entries and tickets as people type or paste them."""

import re
from typing import Final

IN_LINK: Final = re.compile(r"[?&]code=([^&#\s]+)")
SIGNS: Final = re.compile(r"[\s._·\u200b-\u200f\u2060\ufeff\u2010-\u2015\u2212-]")
"""Blanks, dots, hyphens and invisible marks: a code has letters and digits alone."""


def read_code(text: str) -> str:
    """Return the code in a text: a pasted link, or letters with blanks and hyphens.

    >>> read_code(" abcd-2345 "), read_code("https://baza.example/t/copa/come/?code=ABCD2345")
    ('ABCD2345', 'ABCD2345')
    """
    found = IN_LINK.search(text)
    return SIGNS.sub("", found[1] if found else text).upper()
