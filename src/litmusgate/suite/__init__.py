"""Suites: what is asked of an agent, and how it is judged."""
