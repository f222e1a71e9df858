"""Django's command line for this project: `demo`, `audit`, `play_round`, `migrate` and so on."""

import os
import sys
from io import TextIOWrapper

from django.core.exceptions import ImproperlyConfigured
from django.core.management import execute_from_command_line
from django.db import DatabaseError

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")
    if isinstance(sys.stdout, TextIOWrapper):  # files may have names that are not UTF-8
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output went away: not an error of ours
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except ImproperlyConfigured as error:
        sys.exit(f"baza: {error}")
    # The database is out of reach, damaged or not migrated; or an argument is not UTF-8.
    except (DatabaseError, UnicodeEncodeError) as error:
        if "--traceback" in sys.argv:
            raise
        if isinstance(error, UnicodeEncodeError):
            what = f"{error.object!r} cannot be written in {error.encoding}"
        else:
            what = "the database: " + str(error).partition("\n")[0]
        sys.exit(f"baza: {what} (--traceback says where)")
