"""The store: append-only records named by their digest."""
