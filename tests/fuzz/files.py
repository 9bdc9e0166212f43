"""Archives and packed files, of which the first byte of the input chooses the format."""

import tempfile
from pathlib import Path

from sgf_lark.files.contents import read_all
from tests.fuzz.harness import FORMATS

_LIMIT = 1 << 16


def TestOneInput(data: bytes) -> None:
    name = FORMATS[data[0] % len(FORMATS)] if data else FORMATS[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data[1:])
        for file in read_all([str(path)], max_size=_LIMIT):
            assert (file.data is None) == bool(file.reason)
            assert file.data is None or len(file.data) <= _LIMIT
