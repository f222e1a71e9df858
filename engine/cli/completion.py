"""``baza completion``: what a shell needs to complete commands and options."""

import argparse
from typing import Final

SHELLS: Final = ("bash", "zsh", "fish")

_BASH: Final = """_baza() {{
  local word="${{COMP_WORDS[COMP_CWORD]}}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then words="{commands}"; else
    case "${{COMP_WORDS[1]}}" in
{cases}
    esac
  fi
  if [ "${{word#-}}" != "$word" ] || [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "$words" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}}
complete -o filenames -F _baza baza ./baza
"""


def print_completion(options: argparse.Namespace) -> int:
    """Print the script of a shell; it is made from the parser, so that it is never behind."""
    words = {name: _options_of(parser) for name, parser in options.commands.items()}
    print(_fish(words) if options.shell == "fish" else _bash(words, options.shell), end="")
    return 0


def _options_of(parser: argparse.ArgumentParser) -> list[str]:
    return [text for action in parser._actions for text in action.option_strings]  # noqa: SLF001


def _bash(words: dict[str, list[str]], shell: str) -> str:
    cases = "\n".join(f'      {name}) words="{" ".join(w)}" ;;' for name, w in words.items())
    script = _BASH.format(commands=" ".join(words), cases=cases)
    return f"autoload -U +X bashcompinit && bashcompinit\n{script}" if shell == "zsh" else script


def _fish(words: dict[str, list[str]]) -> str:
    first = [f"complete -c baza -n __fish_use_subcommand -f -a '{' '.join(words)}'"]
    more = [
        f"complete -c baza -n '__fish_seen_subcommand_from {name}' -l {option.removeprefix('--')}"
        for name, options in words.items()
        for option in options
        if option.startswith("--")
    ]
    return "\n".join([*first, *more]) + "\n"
