"""Says whether the pictures of the documents were drawn with the style sheets of today.

    python -m tools.pictures

It prints one line that begins with "old" where they were not, and fails nothing: before a release
`./baza guide --all` draws them again and notes the digest of the style sheets beside them.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
STYLES: Final = ROOT / "tournaments" / "static" / "css"
NOTE: Final = ROOT / "docs" / "images" / "styles.sha256"


def digest_of_styles(folder: Path = STYLES) -> str:
    """Return a digest of the names and texts of all style sheets of a folder."""
    digest = sha256()
    for path in sorted(folder.glob("*.css")):
        digest.update(f"{path.name}\n{path.read_text(encoding='utf-8')}\n".encode())
    return digest.hexdigest()


def note_digest(note: Path = NOTE) -> None:
    """Note that the pictures are of the style sheets of today."""
    note.write_text(f"{digest_of_styles()}\n", encoding="utf-8")


def age(note: Path = NOTE) -> str:
    """Return a line that begins with "old" unless the noted digest is that of today."""
    noted = note.read_text(encoding="utf-8").strip() if note.exists() else ""
    if noted == digest_of_styles():
        return "The pictures are of the style sheets of today."
    return "old: the style sheets have changed since the pictures were drawn (./baza guide --all)"


if __name__ == "__main__":
    print(age())
