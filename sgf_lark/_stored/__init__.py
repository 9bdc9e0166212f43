"""What is worked out of the files in ``grammar/``, see :mod:`sgf_lark.stored`."""
