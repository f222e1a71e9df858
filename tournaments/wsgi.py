"""The WSGI application, for a production set-up that serves pages with several processes."""

import gc
import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")

application = get_wsgi_application()

# Keep the objects present now out of garbage collection: they live as long as the process.
gc.collect()
gc.freeze()
