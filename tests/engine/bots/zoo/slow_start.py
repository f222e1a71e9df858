"""Takes its time to begin."""

import time

time.sleep(3600)
