"""``python -m tests.fuzz``: run Atheris on a harness."""

from tests.fuzz.harness import main

main()
