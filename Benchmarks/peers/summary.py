#!/usr/bin/env python3
"""Tells what the result lines of grammar-bench and masks.py say, for one vocabulary.

    summary.py RESULT ... [--check THRESHOLDS.json]

Several files of one engine are rounds of the same measurement: each time is the least of them. --check fails where
Fovea's share of llguidance's time is above the threshold.
"""
import argparse
import json
import sys
from pathlib import Path

import numpy as np

SETUP_TIMES = ("setup_ms", "setup_process_ms", "setup_wall_ms")
SCHEMA_TIMES = ("compile_us", "first_mask_us", "best_compile_us", "best_first_mask_us")
RUN_TIMES = ("start_us", "mask_us", "accept_us")


class Result:
    """What one engine did: its set-up, and its schemas by name."""

    def __init__(self, path):
        lines = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
        if not lines or "peak_kb" not in lines[-1]: sys.exit(f"summary.py: {path} is not complete")
        self.setup = {**lines[0], **lines[-1]}
        self.name = self.setup["engine"]
        self.schemas = {line["id"]: line for line in lines[1:-1]}

    def merge(self, other):
        """Takes the lesser of each time of two rounds."""
        def least(mine, theirs, names):
            for name in names:
                if name in mine: mine[name] = np.minimum(mine[name], theirs[name]).tolist()
        least(self.setup, other.setup, SETUP_TIMES)
        for name, schema in self.schemas.items():
            least(schema, other.schemas[name], SCHEMA_TIMES)
            for mine, theirs in zip(schema.get("runs", []), other.schemas[name].get("runs", [])):
                if mine["density"] != theirs["density"]:
                    sys.exit(f"summary.py: {self.name} has other masks in another round: {name}")
                least(mine, theirs, RUN_TIMES)

    def compiled(self): return {name: schema for name, schema in self.schemas.items() if "runs" in schema}

    def runs(self): return [run for schema in self.compiled().values() for run in schema["runs"]]

    def each(self, name): return np.array([time for run in self.runs() for time in run[name]] or [np.nan])


def row(result):
    masks, accepts = result.each("mask_us"), result.each("accept_us")
    compiled = list(result.compiled().values())
    compile_ms = np.array([schema["compile_us"] for schema in compiled] or [np.nan]) / 1000
    first_ms = np.array([schema["first_mask_us"] for schema in compiled] or [np.nan]) / 1000
    held = np.array([schema["held_kb"] for schema in compiled] or [np.nan]) / 1024
    valid = [run["accepted"] for run in result.runs() if run["valid"]]
    invalid = [not run["accepted"] for run in result.runs() if not run["valid"]]
    q = lambda share: f"{np.percentile(masks, share):,.1f}"
    setup = result.setup
    return [
        result.name, f"{len(compiled)}/{len(result.schemas)}", f"{len(masks):,}",
        f"{masks.mean():,.1f}", q(50), q(90), q(99), q(99.9), f"{masks.max():,.0f}", f"{accepts.mean():,.1f}",
        f"{np.median(compile_ms):,.2f} / {compile_ms.mean():,.1f} / {compile_ms.max():,.0f}",
        f"{np.median(first_ms):,.2f}", f"{sum(valid)}/{len(valid)}", f"{sum(invalid)}/{len(invalid)}",
        f"{setup['setup_ms']:,.0f}",
        f"{setup['index_kb'] / 1024:,.0f}", f"{np.median(held):,.1f} / {held.max():,.1f}", f"{setup['peak_kb'] / 1024:,.0f}",
        f"{setup['empty_us']:.2f}",
    ]


HEAD = ["engine", "schemas", "masks", "mean µs", "p50", "p90", "p99", "p99.9", "max", "accept µs",
        "compile ms p50 / mean / max", "first mask ms p50", "valid ok", "invalid rejected", "set-up ms",
        "index MB", "held MB p50 / max", "peak MB", "empty µs"]


def table(rows):
    print("| " + " | ".join(HEAD) + " |")
    print("| --- |" + " --: |" * (len(HEAD) - 1))
    for cells in rows: print("| " + " | ".join(cells) + " |")


def ratios(ours, theirs):
    """Ours by theirs, over the schemas that both compile and the masks that both made."""
    names = ours.compiled().keys() & theirs.compiled().keys()
    pairs = [pair for name in names for pair in zip(ours.schemas[name]["runs"], theirs.schemas[name]["runs"])]
    mine, other = [], []
    for one, two in pairs:
        both = min(len(one["mask_us"]), len(two["mask_us"]))
        mine += one["mask_us"][:both]
        other += two["mask_us"][:both]
    if not mine: return {}, 0, 0
    first = [np.median([result.schemas[name]["first_mask_us"] for name in names]) for result in (ours, theirs)]
    return {
        "maskMean": np.mean(mine) / np.mean(other),
        "maskP50": np.percentile(mine, 50) / np.percentile(other, 50),
        "maskP99": np.percentile(mine, 99) / np.percentile(other, 99),
        "maskP999": np.percentile(mine, 99.9) / np.percentile(other, 99.9),
        "compileAndFirstMaskMedian": first[0] / first[1],
        "vocabularySetup": ours.setup["setup_ms"] / theirs.setup["setup_ms"],
        "vocabularySetupWithReading":
            (ours.setup["setup_ms"] + ours.setup["read_ms"]) / theirs.setup["setup_ms"],
    }, len(names), len(mine)


def check(values, path):
    good = True
    for name, most in json.loads(Path(path).read_text())["ratiosToLlguidance"].items():
        if not values.get(name, np.inf) <= most:
            print(f"summary.py: {name} is {values.get(name, np.inf):.3f} x llguidance's; the threshold is {most}",
                  file=sys.stderr)
            good = False
    return good


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("results", nargs="+")
    parser.add_argument("--check")
    arguments = parser.parse_args()
    results = {}
    for path in arguments.results:
        result = Result(path)
        if result.name in results: results[result.name].merge(result)
        else: results[result.name] = result
    table(map(row, results.values()))
    ours, good = results.get("fovea"), True
    for name, theirs in results.items():
        if ours is None or theirs is ours: continue
        values, schemas, masks = ratios(ours, theirs)
        text = ", ".join(f"{key} {value:.3f}" for key, value in values.items())
        print(f"\nfovea / {name}, {schemas} schemas and {masks:,} masks of both: {text}")
        if name == "llguidance" and arguments.check: good = check(values, arguments.check)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
