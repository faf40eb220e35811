"""Evidence: outcomes, trials, runs and their tallies."""
