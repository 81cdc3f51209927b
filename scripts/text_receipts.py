"""Helps scripts/check-text-receipts: makes text files of annotations, and checks the answers.

    text_receipts.py split ANNOTATIONS FOLDER
    text_receipts.py bound SCHEMA ITEMS
    text_receipts.py check SCHEMA RECORDS FOLDER SECONDS
"""

import json
import statistics
import sys
from pathlib import Path

import jsonschema


def split(annotations, folder):
    """Writes each receipt's text to FOLDER/NAME.txt."""
    for path in sorted(Path(annotations).glob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        text = (record.get("ocr_raw") or {}).get("full_text") if isinstance(record, dict) else None
        if text:
            Path(folder, path.stem + ".txt").write_text(text, encoding="utf-8")


def bound(schema_path, items):
    """Limits the number of items in a receipt's schema."""
    schema = json.loads(Path(schema_path).read_text(encoding="utf-8"))
    schema["properties"]["items"]["maxItems"] = int(items)
    Path(schema_path).write_text(json.dumps(schema), encoding="utf-8")


def check(schema_path, records_path, folder, seconds):
    """Counts the answers that match the schema; exits with 1 unless all do."""
    validator = jsonschema.Draft202012Validator(
        json.loads(Path(schema_path).read_text(encoding="utf-8")),
        format_checker=jsonschema.FormatChecker(),
    )
    inputs = len(list(Path(folder).glob("*.txt")))
    records = [json.loads(line) for line in Path(records_path).read_text(encoding="utf-8").splitlines()]
    valid = 0
    times = []
    for record in records:
        if "value" not in record:
            print(f"no value: {Path(record['input']).name}: {record['error']['message']}")
            continue
        errors = list(validator.iter_errors(record["value"]))
        for error in errors:
            print(f"invalid: {Path(record['input']).name}: {error.json_path}: {error.message}")
        valid += not errors
        times.append(record["timings"]["total_ms"])
    median = statistics.median(times) if times else float("nan")
    print(
        f"text receipts: {valid} of {inputs} schema-valid, median {median:.0f} ms, {seconds} s in all"
    )
    sys.exit(0 if valid == inputs and inputs >= 60 else 1)


if __name__ == "__main__":
    {"split": split, "bound": bound, "check": check}[sys.argv[1]](*sys.argv[2:])
