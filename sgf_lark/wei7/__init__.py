"""wei7 3.0, the JSON format for Go games: validation, and conversion from and to SGF.

>>> from sgf_lark import wei7
>>> report = wei7.validate(b'{"format": "wei7", "version": "3.0", "tree": {"title": 1}}')
>>> [(found.code, found.pointer) for found in report.diagnostics]
[('WEI101', '/tree/title')]
>>> converted = wei7.from_sgf(b"(;FF[4]GM[1]SZ[9]AP[x];B[ee])")
>>> [lost.what for lost in converted.lost]
['AP[x]']
>>> wei7.to_sgf(converted.document).data
b'(;FF[4]GM[1]CA[UTF-8]SZ[9];B[ee])'

Documents are dicts and lists; `schema` gives what they may hold, as a JSON Schema.
"""

from sgf_lark.wei7.from_sgf import Conversion, Lost, from_sgf
from sgf_lark.wei7.json_text import dumps
from sgf_lark.wei7.loading import Wei7Error, loads, validate
from sgf_lark.wei7.rules import rules
from sgf_lark.wei7.schema import schema
from sgf_lark.wei7.to_sgf import LostMember, Written, to_sgf

__all__ = [
    "Conversion",
    "Lost",
    "LostMember",
    "Wei7Error",
    "Written",
    "dumps",
    "from_sgf",
    "loads",
    "rules",
    "schema",
    "to_sgf",
    "validate",
]
