"""Teaches the grammar: diagrams, a page with all of it, coverage, typed values, parser steps."""
