"""A page on which SGF is typed, and seen as the grammar, the rules and a board see it.

``operations`` answers what the page asks; it runs behind ``server`` and, the same,
inside the browser (``export``).
"""
