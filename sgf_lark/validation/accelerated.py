"""The accelerated validation: gives what the plain one gives, and skips what is known to be clean.

It wraps :class:`Runner`. A compiled scan finds the nodes that need checking
(:mod:`sgf_lark.engine.screen`), findings of equal properties are taken from a cache, and only
the rules that may report a node are asked about it. What may be skipped is derived from the
declarations of the rules (:mod:`sgf_lark.validation.derivation`).
"""

from __future__ import annotations
