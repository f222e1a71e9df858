"""Front page, help, screens, embedded pages, feeds, calendars and the event stream."""
