"""A harness for sgf-lark fuzz: --target 'persistent: python harness.py'."""

import json
import os
import sys

# Takes bytes; returns the games, or None for the verdict alone; raises ValueError to reject. Any
# other exception ends the process, which is a crash.
from my_parser import parse

requests = sys.stdin.buffer
replies = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)  # What the parser prints must not be mistaken for a reply.
replies.write(b"ready\n")
replies.flush()
while line := requests.readline():
    data = requests.read(int(line))
    try:
        games = parse(data)
        # Values are texts without escapes; "raw" is for those as they are in the file.
        tree = json.dumps({"form": "text", "games": games})
        reply = "accept" if games is None else f"accept {tree}"
    except ValueError as error:
        reply = f"reject {' '.join(str(error).split())}"
    replies.write(reply.encode("utf-8", "replace") + b"\n")
    replies.flush()
