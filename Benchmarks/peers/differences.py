#!/usr/bin/env python3
"""Lists where Fovea's masks are not llguidance's, both after the same text and with the same rule for blanks.

    differences.py --bench PATH/grammar-bench --vocabulary FILE --tokenizer FILE.json --tasks FILE

Masks of different size are found by their counts; then both engines make some of them again, and the tokens that only
one of them allows are told. Equal differences are told once, with the schemas that have them.
"""
import argparse
import collections
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from summary import Result
from vocabulary import Vocabulary

# How many masks of one schema are looked at: with each pair of counts, one.
POINTS = 8
# How many tokens are shown.
SHOWN = 12


def find(ours, theirs, tasks):
    """The places (schema, run, step) to look at; prints what differs in the verdicts."""
    points, compared, different = [], 0, 0
    for name in tasks:
        mine, other = ours.schemas[name], theirs.schemas[name]
        if "runs" not in mine or "runs" not in other:
            print(f"{name}: refused by {'Fovea' if 'runs' not in mine else 'llguidance'}: "
                  f"{mine.get('error') or other.get('error')}")
            continue
        seen = set()
        for number, (one, two) in enumerate(zip(mine["runs"], other["runs"])):
            for step, counts in enumerate(zip(one["density"], two["density"])):
                compared += 1
                if counts[0] == counts[1]: continue
                different += 1
                if counts not in seen and len(seen) < POINTS: points.append((name, number, step))
                seen.add(counts)
            if one["accepted"] == one["valid"] == two["accepted"]: continue
            print(f"{name}: run {number} is {'valid' if one['valid'] else 'invalid'}; "
                  + ", ".join(f"{who} {'accepts' if run['accepted'] else 'refuses'}"
                              for who, run in (("Fovea", one), ("llguidance", two))))
    print(f"{compared} masks compared, {different} of another size, {len(points)} of them looked at\n")
    return points


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("bench", "vocabulary", "tokenizer", "tasks"): parser.add_argument("--" + name, required=True)
    arguments = parser.parse_args()
    files = ["--vocabulary", arguments.vocabulary, "--tasks", arguments.tasks]
    programs = {
        "fovea": [arguments.bench, *files],
        "llguidance": [sys.executable, Path(__file__).with_name("masks.py"), "llguidance-unforced",
                       "--tokenizer", arguments.tokenizer, *files],
    }
    vocabulary = Vocabulary(arguments.vocabulary)
    tasks = {task["id"]: task for task in map(json.loads, open(arguments.tasks, encoding="utf-8"))}

    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        for name, command in programs.items():
            subprocess.run([*command, "--repetitions", "1", "--out", folder / name], check=True)
        points = find(Result(folder / "fovea"), Result(folder / "llguidance"), tasks)
        (folder / "points").write_text("".join(f"{name}\t{run}\t{step}\n" for name, run, step in points))
        for name, command in programs.items():
            subprocess.run([*command, "--masks-at", folder / "points", "--out", folder / name], check=True)
        masks = [[bytes.fromhex(line) for line in (folder / name).read_text().splitlines()] for name in programs]

    def tokens(mask):
        return set(np.flatnonzero(np.unpackbits(np.frombuffer(mask, dtype=np.uint8), bitorder="little")).tolist())

    groups = collections.defaultdict(list)
    for point, mine, other in zip(points, *masks):
        mine, other = tokens(mine), tokens(other)
        groups[frozenset(mine - other), frozenset(other - mine)].append(point)
    for (here, there), places in sorted(groups.items(), key=lambda group: -len(group[1])):
        for who, only in (("Fovea", here), ("llguidance", there)):
            if not only: continue
            shown = sorted(only, key=lambda token: (len(vocabulary.pieces[token]), token))[:SHOWN]
            texts = " ".join(repr(vocabulary.pieces[token].decode(errors="backslashreplace")) for token in shown)
            print(f"only {who}: {len(only)} tokens: {texts}{' …' if len(only) > SHOWN else ''}")
        names = list(dict.fromkeys(name for name, _, _ in places))
        print(f"    in {len(places)} places of {len(names)} schemas: {' '.join(names[:4])}"
              f"{' …' if len(names) > 4 else ''}")
        name, run, step = places[0]
        before = vocabulary.text(tasks[name]["runs"][run]["tokens"][:step]).decode(errors="replace")
        print(f"    as in {name}, run {run} step {step}, after …{before[-70:]!r}\n")


if __name__ == "__main__":
    main()
