"""The tournament file: a whole tournament as JSON that people can read and type.

`docs/tournament-file.md` describes the format; nothing here opens a file.
"""

from tournaments.domain.file.places import FileError
from tournaments.domain.file.rules import rules_from_dict, rules_to_dict

__all__ = ["FileError", "rules_from_dict", "rules_to_dict"]
