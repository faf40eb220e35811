"""Admission: which instances may vote, with every reason."""
