"""`manage.py change_key`: moves values of an older secret key to the present one.

Set BAZA_SECRET_KEY to the new key and BAZA_SECRET_KEY_OLD to the previous one, restart, and run
this. It prints what still needs the old key (docs/runbook.md); run again it changes nothing more.
"""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.operations.services.rekeying import move_to_the_present_key


class Command(BaseCommand):
    """Move second factors; tell of the rest."""

    help = __doc__ or ""

    def handle(self, **_options: Any) -> None:
        """Re-encrypt them, and print what is left."""
        told = move_to_the_present_key()
        self.stdout.write(f"second factors: {told.moved} moved, {told.kept} on the present key")
        if told.lost:
            self.stdout.write(f"  {told.lost} rest on a key that is not given: reset_second_factor")
        for club, host in told.webhooks:
            self.stdout.write(f"webhook of {club} to {host}: needs a new secret, on its page")
        self.stdout.write(f"tokens not used for 30 days, which may need the old key: {told.tokens}")
        if told.invitations:
            day = f"{told.invitations:%Y-%m-%d}"
            self.stdout.write(f"open invitations may need the old key until {day}")
