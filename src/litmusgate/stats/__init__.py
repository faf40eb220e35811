"""Exact answers from counts: intervals and tails. No rate is rounded before it is used, nothing undefined is a number."""
