"""Builds the files and the manifest of the conformance suite from ``cases/*.toml``."""
