"""Foreign log formats, one file per format."""
