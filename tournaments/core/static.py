"""How static files are named when they are collected."""

from typing import Final

from whitenoise.storage import CompressedManifestStaticFilesStorage

OURS: Final = "js/*.js"
"""Scripts of ours, whose imports are read; what others wrote stays as it is."""
IMPORTS: Final = (
    (
        r"""(?P<matched>import(?P<what>\s[^;"]*?)\sfrom\s"(?P<url>\.\.?/[^"]+)";)""",
        'import%(what)s from "%(url)s";',
    ),
    (r"""(?P<matched>import\s"(?P<url>\.\.?/[^"]+)";)""", 'import "%(url)s";'),
)
"""How a script of ours imports another, and how that is written down again."""


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files under the hash of their content; a script of ours that imports another names it so."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, (OURS, IMPORTS))
