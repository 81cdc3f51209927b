"""Times evaluation in Fovea and in llama.cpp's llama-bench, in turns; see scripts/bench-llama."""

import argparse
import json
import os
import statistics
import subprocess
import sys

TESTS = ("prefill", "decode")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"bench-llama: {command[0]} ended with {done.returncode}: {done.stderr.strip()[-500:]}")
    return json.loads(done.stdout)


def fovea(options):
    """Tokens a second by Fovea, in the middle of its runs."""
    # llama-bench makes contexts that just hold what it evaluates.
    context = max(options.prompt_tokens, options.write)
    result = run([options.fovea, "bench", options.model, "--json", "--prompt-tokens", str(options.prompt_tokens),
                  "--write", str(options.write), "--repeat", str(options.repeat), "--threads", str(options.threads),
                  "--flash-attention", "off", "--context", str(context)])
    settings = result["settings"]
    if settings["attention"] != "plain" or settings["threads"] != options.threads:
        sys.exit(f"bench-llama: fovea was not computed as asked for: {settings}")
    return {test: result[test]["tokens_per_second"]["median"] for test in TESTS}


def llama_bench(options):
    """Tokens a second by llama-bench, in the middle of its runs."""
    rows = run([options.peer, "-m", options.model, "-o", "json", "-p", str(options.prompt_tokens),
                "-n", str(options.write), "-r", str(options.repeat), "-t", str(options.threads), "-fa", "0"])
    prefill = [row for row in rows if row["n_prompt"] == options.prompt_tokens and row["n_gen"] == 0]
    decode = [row for row in rows if row["n_prompt"] == 0 and row["n_gen"] == options.write]
    if len(prefill) != 1 or len(decode) != 1:
        sys.exit("bench-llama: llama-bench did not run both tests")
    return {"prefill": statistics.median(prefill[0]["samples_ts"]),
            "decode": statistics.median(decode[0]["samples_ts"])}


def main():
    parser = argparse.ArgumentParser(prog="bench-llama")
    for name in ("fovea", "peer", "model"):
        parser.add_argument(f"--{name}", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--prompt-tokens", type=int, default=512)
    parser.add_argument("--write", type=int, default=128)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--least", type=float)
    options = parser.parse_args()
    for name in ("pairs", "threads", "prompt_tokens", "write", "repeat"):
        if getattr(options, name) < 1:
            parser.error(f"--{name.replace('_', '-')} must be at least 1")

    programs = {"fovea": fovea, "llama-bench": llama_bench}
    ratios = {test: [] for test in TESTS}
    print(f"{options.threads} threads, {options.prompt_tokens} tokens of a prompt, {options.write} written, "
          f"{options.repeat} runs each; tokens/s")
    print(f"{'pair':>4}  {'prefill fovea':>14} {'llama-bench':>12} {'ratio':>6}  "
          f"{'decode fovea':>13} {'llama-bench':>12} {'ratio':>6}", flush=True)
    for pair in range(options.pairs):
        # Who goes first changes, so that a machine that grows slower is unfair to both.
        order = list(programs) if pair % 2 == 0 else list(reversed(programs))
        found = {name: programs[name](options) for name in order}
        cells = []
        for test in TESTS:
            ours, theirs = found["fovea"][test], found["llama-bench"][test]
            ratios[test].append(ours / theirs)
            cells.append((ours, theirs, ours / theirs))
        (a, b, c), (d, e, f) = cells
        print(f"{pair + 1:>4}  {a:>14.1f} {b:>12.1f} {c:>6.3f}  {d:>13.1f} {e:>12.1f} {f:>6.3f}", flush=True)
    for test in TESTS:
        print(f"{test}: median {statistics.median(ratios[test]):.3f}, "
              f"from {min(ratios[test]):.3f} to {max(ratios[test]):.3f}")
    medians = {test: statistics.median(ratios[test]) for test in TESTS}
    print("bench-llama: " + " ".join(f"{test}={medians[test]:.3f}" for test in TESTS))
    if options.least is not None and min(medians.values()) < options.least:
        sys.exit(f"bench-llama: less than {options.least}")


main()
