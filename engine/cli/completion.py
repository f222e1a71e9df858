"""``completion``: what a shell needs to complete commands and options."""

import argparse
from typing import Final

SHELLS: Final = ("bash", "zsh", "fish")

_BASH: Final = """_{program}() {{
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
complete -o filenames -F _{program} {program} ./{program}
"""


def print_completion(options: argparse.Namespace) -> int:
    """Print the script of a shell; it is made from the parser, so that it is never behind."""
    words = {name: _options_of(parser) for name, parser in options.commands.items()}
    write = _fish_script if options.shell == "fish" else _bash_script
    script = write(words, options.program)
    if options.shell == "zsh":
        script = f"autoload -U +X bashcompinit && bashcompinit\n{script}"
    print(script, end="")
    return 0


def _options_of(parser: argparse.ArgumentParser) -> list[str]:
    return [text for action in parser._actions for text in action.option_strings]  # noqa: SLF001


def _bash_script(words: dict[str, list[str]], program: str) -> str:
    cases = "\n".join(f'      {name}) words="{" ".join(w)}" ;;' for name, w in words.items())
    return _BASH.format(commands=" ".join(words), cases=cases, program=program)


def _fish_script(words: dict[str, list[str]], program: str) -> str:
    first = [f"complete -c {program} -n __fish_use_subcommand -f -a '{' '.join(words)}'"]
    option_lines = [
        f"complete -c {program} -n '__fish_seen_subcommand_from {name}'"
        f" -l {option.removeprefix('--')}"
        for name, options in words.items()
        for option in options
        if option.startswith("--")
    ]
    return "\n".join([*first, *option_lines]) + "\n"
