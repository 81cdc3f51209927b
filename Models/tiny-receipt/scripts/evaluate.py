"""Lets a program read a folder of receipts and compares its answers with the truth.

    python evaluate.py --images DIR --fovea PATH [-- options for `fovea extract`]
    python evaluate.py --images DIR --llama PATH --model M.gguf --projector MM.gguf

The first runs `fovea extract IMAGES --format jsonl` once, the second llama.cpp's llama-mtmd-cli
once for each receipt. Every picture NAME.png or NAME.jpg has its truth in NAME.json. Numbers are
compared exactly, as decimals; 5.00 and 5 are the same number.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from decimal import Decimal
from pathlib import Path

import jsonschema
from PIL import Image

from command_line import parser_for
from drawing import CELL
from layout import GENERIC_PROMPTS, KEYS

ITEM_KEYS = ["name", "quantity", "price"]
FIELDS = ["vendor", "date", "total", "items", "item-fields", "whole"]
LLAMA_TRIES = 8


def parsed(text):
    """JSON with every number as a decimal; None if it is none."""
    try:
        return json.loads(text, parse_float=Decimal, parse_int=Decimal)
    except ValueError:
        return None


class Answer:
    """What a program said about one picture."""

    def __init__(self, text, milliseconds=None, error=None):
        self.text, self.milliseconds, self.error = text, milliseconds, error
        self.value = parsed(text) if text is not None else None


def read_with_fovea(fovea, images, extra):
    """All answers from one process."""
    command = [fovea, "extract", *map(str, images), "--format", "jsonl", *extra]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    answers = {}
    for line in run.stdout.splitlines():
        record = parsed(line)
        if record is None:
            raise SystemExit(f"fovea printed a line that is no JSON: {line[:200]}")
        name = Path(record["input"]).name
        if "error" in record:
            answers[name] = Answer(None, error=json.dumps(record["error"], default=str))
        else:
            # As text again, since the schema is checked against plain numbers.
            text = json.dumps(json.loads(line)["value"])
            answers[name] = Answer(text, float(record["timings"]["total_ms"]))
            answers[name].value = record["value"]
    if not answers:
        raise SystemExit(f"fovea gave no answer and ended with code {run.returncode}")
    return answers


def read_with_llama(program, model, projector, prompt, images):
    """One process for each picture; its time includes loading the model."""
    answers = {}
    for image in images:
        command = [program, "-m", model, "--mmproj", projector, "--image", str(image),
                   "-p", prompt, "--temp", "0", "-n", "256", "-t", "1", "-c", "2048",
                   "--log-verbosity", "1"]
        for _ in range(LLAMA_TRIES):
            start = time.monotonic()
            run = subprocess.run(command, capture_output=True, text=True, check=False)
            milliseconds = (time.monotonic() - start) * 1000
            # Else the program ended before the thread that prints was done.
            if run.stdout.endswith("\n"):
                break
        answers[image.name] = Answer(run.stdout.strip(), milliseconds)
    return answers


def receipt_schema(fovea):
    """The schema of the built-in type that `fovea` guarantees."""
    run = subprocess.run([fovea, "schema", "--type", "receipt", "--json"], stdout=subprocess.PIPE, text=True,
                         check=True)
    return json.loads(run.stdout)


class Score:
    """Counts right fields over all receipts."""

    def __init__(self):
        self.right, self.all = Counter(), Counter()

    def count(self, field, right, of=1):
        self.right[field] += right
        self.all[field] += of

    def add(self, got, want):
        """Compares one answer; returns whether all of it is right."""
        got = got if isinstance(got, dict) else {}
        for key in KEYS:
            self.count(key, got.get(key) == want[key])
        items = got.get("items")
        items = items if isinstance(items, list) else []
        pairs = zip(items, want["items"])
        right = sum(isinstance(item, dict) and item.get(key) == wanted[key]
                    for item, wanted in pairs for key in ITEM_KEYS)
        # Surplus items count as wrong, too.
        self.count("item-fields", right, len(ITEM_KEYS) * max(len(items), len(want["items"])))
        self.count("whole", got == want)
        return got == want

    def percent(self, field):
        return 100 * self.right[field] / self.all[field]


def padded(image, folder):
    """A copy, white at the right and below up to multiples of a cell."""
    with Image.open(image) as opened:
        page = opened.convert("RGB")
    out = Image.new("RGB", tuple(-(-side // CELL) * CELL for side in page.size), "white")
    out.paste(page)
    out.save(folder / image.name)
    return folder / image.name


def least(text):
    """"vendor=98" -> ("vendor", 98.0)"""
    field, _, percent = text.partition("=")
    if field not in FIELDS:
        raise argparse.ArgumentTypeError(f"{field} is none of {', '.join(FIELDS)}")
    return field, float(percent)


def make_parser():
    parser = parser_for(__doc__)
    parser.add_argument("--images", required=True, type=Path, help="folder of pictures and truths")
    program = parser.add_mutually_exclusive_group(required=True)
    program.add_argument("--fovea", metavar="PATH", help="fovea, to measure")
    program.add_argument("--llama", metavar="PATH", help="llama-mtmd-cli, to measure")
    parser.add_argument("--model", help="text model, for --llama")
    parser.add_argument("--projector", help="vision half, for --llama")
    parser.add_argument("--prompt", default=GENERIC_PROMPTS[0], help="for --llama")
    parser.add_argument("--pad", action="store_true",
                        help="pad the pictures with white to multiples of 16 px before")
    parser.add_argument("--limit", type=int, help="only so many pictures")
    parser.add_argument("--least", type=least, nargs="+", default=[], metavar="FIELD=PERCENT",
                        help=f"fail if a field is less often right; fields: {', '.join(FIELDS)}")
    parser.add_argument("extra", nargs="*", help="after --: options for `fovea extract`")
    return parser


def main():
    parser = make_parser()
    options = parser.parse_args()
    if options.llama and not (options.model and options.projector):
        parser.error("--llama needs --model and --projector")
    images = sorted(path for path in options.images.iterdir() if path.suffix in (".png", ".jpg"))
    images = images[:options.limit]
    if not images:
        parser.error(f"there is no picture in {options.images}")
    truths = {image.name: image.with_suffix(".json").read_text().strip() for image in images}
    with tempfile.TemporaryDirectory() as folder:
        if options.pad:
            images = [padded(image, Path(folder)) for image in images]
        if options.fovea:
            answers = read_with_fovea(options.fovea, images, options.extra)
        else:
            answers = read_with_llama(options.llama, options.model, options.projector,
                                      options.prompt, images)
    report(answers, truths, receipt_schema(options.fovea) if options.fovea else None, options.least)


def report(answers, truths, schema, least_percents):
    """Prints what was wrong and the shares of right fields; fails if one is too low."""
    score, valid = Score(), 0
    validator = schema and jsonschema.Draft202012Validator(schema)
    for name, truth in truths.items():
        answer = answers.get(name, Answer(None, error="no answer"))
        if not score.add(answer.value, parsed(truth)):
            print(f"{name}: got  {answer.error or answer.text}")
            print(f"{name}: want {truth}")
        if validator and answer.text is not None:
            valid += validator.is_valid(json.loads(answer.text))
    print(f"{len(truths)} receipts")
    for field in FIELDS:
        print(f"{field:12} {score.right[field]:5} of {score.all[field]:5}"
              f" {score.percent(field):6.1f} %")
    if validator:
        print(f"{'valid':12} {valid:5} of {len(truths):5} {100 * valid / len(truths):6.1f} %")
    times = [a.milliseconds for a in answers.values() if a.milliseconds is not None]
    if times:
        print(f"median time  {statistics.median(times):.0f} ms per receipt")
    low = [field for field, percent in least_percents if score.percent(field) < percent]
    if validator and valid < len(truths):
        low.append("valid")
    if low:
        sys.exit(f"too low: {', '.join(low)}")


if __name__ == "__main__":
    main()
