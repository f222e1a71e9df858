"""The Spanish deck, drawn by code: forty cards and a back as one SVG sprite."""
