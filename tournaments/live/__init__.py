"""Help, screens, embedded pages, feeds, calendars and the event stream."""
