"""From bytes to syntax: strict and tolerant parsing, values, syntax errors, the flat tree."""
