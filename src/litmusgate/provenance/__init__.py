"""Provenance, the pure half: folding, distinctive words and similarity on values."""
