"""Run files and the agents that produce runs."""
