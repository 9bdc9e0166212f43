"""The grammar for those who learn it: diagrams, a page with all of it, what files use of it,
how values are read, and the steps of a parse."""
