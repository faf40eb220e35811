"""Known corpora on disk: the provenance index and its readers."""
