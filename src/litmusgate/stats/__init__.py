"""Exact statistics on counts."""
