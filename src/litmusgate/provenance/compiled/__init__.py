"""The compiled engine: every rule of provenance again, fast, with the same results as `PlainEngine` (extra `[corpora]`)."""
