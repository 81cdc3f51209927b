"""Times several extractions at once beside the same in turn; see scripts/bench-batch."""

import argparse
import json
import statistics

from bench_cases import Worker, add_options, cases


def run_case(case, options):
    alone = Worker(options.worker, case)
    together = Worker(options.worker, case, parallel=options.together)
    times = {"in turn": [], "together": []}
    differences = 0
    try:
        for index in range(options.pairs + 1):
            first = index * options.together
            paths = [case.documents[(first + i) % len(case.documents)] for i in range(options.together)]

            def in_turn():
                answers = [alone.send([path]) for path in paths]
                return sum(elapsed for elapsed, _ in answers), [answer["json"] for _, answer in answers]

            def at_once():
                elapsed, answer = together.send(paths)
                return elapsed, [one["json"] for one in answer["answers"]]

            turns = {"in turn": in_turn, "together": at_once}
            texts = {}
            for side in list(turns) if index % 2 else list(turns)[::-1]:
                elapsed, texts[side] = turns[side]()
                if index > 0:  # the first round warms up
                    times[side].append(elapsed)
            differences += sum(a != b for a, b in zip(texts["in turn"], texts["together"]))
            [json.loads(text) for text in texts["together"]]
    finally:
        alone.close()
        together.close()
    ratio = statistics.median(b / a for a, b in zip(times["in turn"], times["together"]))
    print(f"| {case.name} | {options.pairs} | " + " | ".join(
        f"{statistics.median(values) * 1000:.0f} ms" for values in times.values())
        + f" | {ratio:.2f} | {differences} |", flush=True)
    return ratio


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--together", type=int, default=4)
    options = parser.parse_args()
    chosen = [case for case in cases(options) if options.only in (None, case.key)]
    print(f"| case | rounds of {options.together} | in turn | together | ratio | different answers |\n"
          "|---|--:|--:|--:|--:|--:|")
    ratios = [run_case(case, options) for case in chosen]
    print(f"bench-batch: ratio={max(ratios):.3f}")


if __name__ == "__main__":
    main()
