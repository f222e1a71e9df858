"""`manage.py change_key`: moves values of an older secret key to the present one.

Set BAZA_SECRET_KEY to the new key and BAZA_SECRET_KEY_OLD to the previous one, restart, and run
this. It prints what still needs the old key (docs/operators/runbook.md); run again it changes
nothing more.
"""

from typing import Any

from django.core.management.base import BaseCommand

from tournaments.operations.services.rekeying import reseal_second_factors


class Command(BaseCommand):
    """Move second factors; tell of the rest."""

    help = __doc__ or ""

    def handle(self, **_options: Any) -> None:
        """Re-encrypt them, and print what is left."""
        moves = reseal_second_factors()
        self.stdout.write(f"second factors: {moves.moved} moved, {moves.kept} on the present key")
        if moves.lost:
            self.stdout.write(
                f"  {moves.lost} rest on a key that is not given: reset_second_factor"
            )
        if moves.unknown:
            self.stdout.write(f"  {moves.unknown} need an old key until their next code")
        for club, host in moves.webhooks:
            self.stdout.write(f"webhook of {club} to {host}: needs a new secret, on its page")
        self.stdout.write(
            f"tokens not used for 30 days, which may need the old key: {moves.tokens}"
        )
        if moves.invitations:
            day = f"{moves.invitations:%Y-%m-%d}"
            self.stdout.write(f"open invitations may need the old key until {day}")
