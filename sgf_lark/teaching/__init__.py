"""Teaches the grammar: diagrams, a page with all of it, typed values, parser steps."""
