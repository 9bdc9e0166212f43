"""A web page to type SGF, with its parse tree, its diagnostics and its board.

``operations`` answers the requests of the page. It runs on a server (``server``), or in the
browser if the page is exported to static files (``export``).
"""
