"""Tests of other SGF parsers: targets, adapters, and runs with generated input."""
