"""`manage.py check_arena`: prints the layers of the sandbox on this machine, and what it lacks."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

import engine


class Command(BaseCommand):
    """Ask the kernel, and run the reference bot in the sandbox as a match would."""

    help = __doc__ or ""

    def handle(self, **_options: Any) -> None:
        """Print a line for each layer; exit 1 when submitted programs are refused."""
        capabilities = engine.capabilities()
        landlock = f"ABI {capabilities.landlock}" if capabilities.landlock else "missing"
        self.stdout.write(f"system      {capabilities.system} {capabilities.machine}")
        self.stdout.write(f"landlock    {landlock}")
        self.stdout.write(f"seccomp     {'yes' if capabilities.seccomp else 'missing'}")
        self.stdout.write(f"bubblewrap  {capabilities.bubblewrap or 'none that works'}")
        if capabilities.missing:
            raise CommandError("untrusted programs are refused: " + "; ".join(capabilities.missing))
        runs = engine.reference_runs()
        self.stdout.write(f"reference   {'runs' if runs else 'does not run'}")
        if not runs:
            raise CommandError("the reference bot does not run in the sandbox of this machine")
