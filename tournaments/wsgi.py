"""The WSGI application, for a production set-up that serves pages with several processes."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")

application = get_wsgi_application()

# What is there from now on stays: the collector need not look through it again and again.
gc.collect()
gc.freeze()
