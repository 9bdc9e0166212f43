"""Highlighting and extensions for editors, all derived from the grammar."""
