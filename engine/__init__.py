"""The card game: rules, records, replay and bots, with nothing but the standard library.

Every name that other packages may use is in ``engine/__init__.pyi``, and imported when it is first
used.

>>> from engine import position_from_dict
>>> position_from_dict(
...     {"ruleset": "parejas-online", "trump": "o", "turn": "B",
...      "hands": {"B": "1c 2o 4e"}, "trick": "3c"}
... ).legal_tokens()
('1c',)
"""

import ast
from importlib import import_module
from pathlib import Path
from typing import Any


def _read_stub() -> dict[str, str]:
    """Maps each public name to the module that defines it, as the stub file imports them."""
    stub = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    return {alias.name: str(node.module) for node in imports for alias in node.names}


# Importing all of them at once takes five times the start-up of `baza legal` (0.5 s of processor
# time against 0.1 s), most of it in numpy.
_MODULES = _read_stub()


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    # Not stored here, so that a name replaced in its module is replaced for all who use it.
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return list(_MODULES)
