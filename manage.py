"""Django's command line for this project: `demo`, `audit`, `play_round`, `migrate` and so on."""

import os
import sys

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"baza: {error}")
    except DatabaseError as error:  # out of reach, damaged or not migrated
        if "--traceback" in sys.argv:
            raise
        what = str(error).partition("\n")[0]
        sys.exit(f"baza: the database: {what} (--traceback says where)")
