"""Runs `sgf-lark fuzz` on every adapter that is installed here, one after the other.

python benchmarks/fuzzing.py [ADAPTER ...] [--seconds N] [--jobs N] [--seed N] [-o FOLDER]
python benchmarks/fuzzing.py --persistent [--seconds N]

The first prints a table in Markdown with a row for each adapter, and below it the causes; the
findings are in FOLDER, one subfolder for each adapter. The second compares inputs a second of a
persistent target with those of one process for each input, for a parser that does nothing, in
Python, JavaScript and C: the programs of docs/harnesses.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from sgf_lark.fuzz.adapters import adapters
from sgf_lark.fuzz.inputs import Inputs
from sgf_lark.fuzz.targets import open_target

HARNESSES = Path(__file__).parent.parent / "docs" / "harnesses"

#: For each harness: the program it needs, a parser, a program that calls it once, and commands
#: that build both and run them.
LANGUAGES = {
    "harness.py": (
        sys.executable,
        "def parse(data):\n    return None\n",
        "import sys\nfrom my_parser import parse\nparse(sys.stdin.buffer.read())\n",
        (),
        (f"{sys.executable} {{folder}}/harness.py", f"{sys.executable} {{folder}}/once.py"),
    ),
    "harness.mjs": (
        "node",
        "export const parse = () => undefined\n",
        "import {parse} from './my-parser.mjs'\nimport fs from 'node:fs'\n"
        "parse(fs.readFileSync(0))\n",
        (),
        ("node {folder}/harness.mjs", "node {folder}/once.mjs"),
    ),
    "harness.c": (
        "gcc",
        "#include <stddef.h>\n"
        "const char *parse(const unsigned char *data, size_t size)\n"
        "{ (void)data; (void)size; return NULL; }\n",
        "#include <stdio.h>\n"
        "const char *parse(const unsigned char *data, size_t size);\n"
        "int main(void) { static unsigned char data[1 << 20];\n"
        "  return parse(data, fread(data, 1, sizeof data, stdin)) != NULL; }\n",
        ("gcc -O2 -o harness harness.c my_parser.c", "gcc -O2 -o once once.c my_parser.c"),
        ("{folder}/harness", "{folder}/once"),
    ),
}


def run_adapter(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """Return the JSON report of a run on that adapter."""
    command = shutil.which("sgf-lark", path=sysconfig.get_path("scripts"))
    if command is None:
        raise SystemExit("sgf-lark is not installed for this Python")
    arguments = ["--target", name, "--time", str(options.seconds), "--seed", str(options.seed)]
    arguments += ["--format", "json", "-o", str(options.output / name)]
    arguments += ["--jobs", str(options.jobs)] if options.jobs else []
    run = subprocess.run([command, "fuzz", *arguments], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        raise SystemExit(f"{name}: {run.stderr or run.stdout}")
    report: dict[str, Any] = json.loads(run.stdout)
    return report


def row(name: str, report: dict[str, Any]) -> str:
    """Return the row of the table for a report."""
    findings = report["findings"]
    kinds = Counter(finding["kind"] for finding in findings)
    keys = [key for each in findings for key in (each, *each["also"])]
    places = {(key["kind"], key["place"]) for key in keys}
    seconds = report["seconds"]
    cells = (
        f"{name} {report['versions'].get(name) or ''}".strip(),
        report["examples"],
        f"{report['examples'] / seconds:.0f}",
        f"{(report['examples'] + report['attempts']) / seconds:.0f}",
        len(findings),
        ", ".join(f"{count} {kind}" for kind, count in kinds.items()) or "-",
        len(places),
        report["not_minimized"] + report["unexamined"],
    )
    return f"| {' | '.join(map(str, cells))} |"


HEAD = (
    "| adapter | inputs | inputs/s | runs/s | causes | kinds | places | unexamined |\n"
    "| --- | ---: | ---: | ---: | ---: | --- | ---: | ---: |"
)


def fuzz_adapters(options: argparse.Namespace) -> None:
    """Print the table and the causes of all adapters, or of those that are named."""
    known = adapters()
    names = options.adapters or [
        name for name, adapter in known.items() if adapter.installed_version() is not None
    ]
    if unknown := [name for name in names if name not in known]:
        raise SystemExit(f"no such adapter: {', '.join(unknown)}; one of {', '.join(known)}")
    if left_out := [name for name in known if name not in names]:
        print(f"Left out: {', '.join(left_out)}. `sgf-lark fuzz --list-targets` shows why.\n")
    print(HEAD)
    reports = {}
    for name in names:
        reports[name] = run_adapter(name, options)
        print(row(name, reports[name]), flush=True)
    for name, report in reports.items():
        print(f"\n## {name}\n")
        for finding in report["findings"]:
            cause = finding["feature"] or finding["detail"]
            print(f"- {finding['kind']}: {cause} ({finding['place']}), seen {finding['count']}")


def compare_processes(seconds: float) -> None:
    """Print inputs a second of the harnesses, and of one process for each input."""
    inputs = Inputs(0, ())
    print("| harness | persistent | one process each | times |\n| --- | ---: | ---: | ---: |")
    for harness, (program, parser, once, builds, commands) in LANGUAGES.items():
        if shutil.which(program) is None:
            print(f"| {harness} | {program} is not installed | | |")
            continue
        with tempfile.TemporaryDirectory() as name:
            folder, ending = Path(name), Path(harness).suffix
            shutil.copytree(HARNESSES, folder, dirs_exist_ok=True)
            (folder / ("my-parser.mjs" if ending == ".mjs" else f"my_parser{ending}")).write_text(
                parser
            )
            (folder / f"once{ending}").write_text(once)
            for build in builds:
                subprocess.run(build.split(), cwd=folder, check=True)
            many, one = (command.format(folder=folder) for command in commands)
            rates = [_rate(spec, inputs, seconds) for spec in (f"persistent: {many}", one)]
        print(f"| {harness} | {rates[0]:.0f} | {rates[1]:.0f} | {rates[0] / rates[1]:.0f} |")


def _rate(spec: str, inputs: Inputs, seconds: float) -> float:
    """Return the inputs a second of a target; making the inputs is not counted."""
    files = [inputs[number].data for number in range(50)]
    count = 0
    with open_target(spec) as target:
        target.run(files[0])
        start = time.perf_counter()
        while (passed := time.perf_counter() - start) < seconds:
            target.run(files[count % len(files)])
            count += 1
    return count / passed


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("adapters", nargs="*", metavar="ADAPTER")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--persistent", action="store_true")
    options = parser.parse_args()
    if options.persistent:
        compare_processes(options.seconds)
    else:
        fuzz_adapters(options)


if __name__ == "__main__":
    main()
