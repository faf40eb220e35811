"""Reports: one renderer per format, all from one verdict document."""
