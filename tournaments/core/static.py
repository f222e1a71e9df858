"""Storage that names collected static files by their hash."""

from typing import Final

from whitenoise.storage import CompressedManifestStaticFilesStorage

OWN_SCRIPTS: Final = "js/*.js"
"""Our own scripts, whose imports are rewritten; third-party scripts stay as they are."""
IMPORTS: Final = (
    (
        r"""(?P<matched>import(?P<what>\s[^;"]*?)\sfrom\s"(?P<url>\.\.?/[^"]+)";)""",
        'import%(what)s from "%(url)s";',
    ),
    (r"""(?P<matched>import\s"(?P<url>\.\.?/[^"]+)";)""", 'import "%(url)s";'),
)
"""How one of our scripts imports another, and how the import is rewritten."""


class ModuleStaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Names files by the hash of their content, also in the imports of our own scripts."""

    patterns = (*CompressedManifestStaticFilesStorage.patterns, (OWN_SCRIPTS, IMPORTS))
    max_post_process_passes = 20  # one a step of the longest chain of imports; Django has 5
