"""The conformance suite: its cases, running parsers on them, and reports.

The cases are files for parsers in any language, in ``tests/conformance/``; an
installed package carries them inside.
"""
