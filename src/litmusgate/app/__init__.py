"""Use cases, one per file: the only place where the core meets disks and clocks."""
