"""The conformance suite: its cases, running parsers on them, and reports.

The cases are files for parsers in any language. They are in ``tests/conformance/`` of the
repository, and inside an installed package.
"""
