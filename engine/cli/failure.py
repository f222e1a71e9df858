"""The one error that ends a command with exit code 2."""


class CommandError(Exception):
    """The call or its input is unusable; the message says why and what would help."""
