"""The WSGI application, for a production set-up that serves pages with several processes."""

import os

from django.core.wsgi import get_wsgi_application

from tournaments.core.processor import limit_garbage_collection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.settings")

application = get_wsgi_application()
limit_garbage_collection()
