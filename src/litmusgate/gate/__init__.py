"""The gate: may this build ship? Pure decisions on counts."""
