#!/usr/bin/env python3
"""Writes the tasks of the benchmark: schemas, with their instances as text and as tokens.

    tasks.py CORPUS VOCABULARY OUT [--tokenizer TOKENIZER.json] [--ids FILE]

CORPUS is the folder of MaskBench's data, one file of JSON lines a part. Without a tokenizer the longest token is taken
each time, and nothing but Python is needed. The JSON has one blank after colons and commas.
"""
import argparse
import json
import sys
from pathlib import Path

from vocabulary import Vocabulary


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("corpus", "vocabulary", "out"): parser.add_argument(name)
    parser.add_argument("--tokenizer")
    parser.add_argument("--ids", default=Path(__file__).with_name("schemas.txt"))
    arguments = parser.parse_args()

    lines = Path(arguments.ids).read_text().splitlines()
    wanted = [line for line in lines if line and not line.startswith("#")]
    found = {}
    for path in sorted(Path(arguments.corpus).glob("*.jsonl")):
        for line in path.open(encoding="utf-8"):
            entry = json.loads(line)
            if entry["id"] in wanted: found[entry["id"]] = entry
    missing = [name for name in wanted if name not in found]
    if missing: sys.exit(f"tasks.py: not in {arguments.corpus}: {', '.join(missing)}")

    vocabulary = Vocabulary(arguments.vocabulary)
    if arguments.tokenizer:
        from tokenizers import Tokenizer
        tokenizer = Tokenizer.from_file(arguments.tokenizer)
        encode = lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    else:
        encode = vocabulary.greedy()
    tokens = 0
    with open(arguments.out, "w", encoding="utf-8") as out:
        for name in wanted:
            runs = []
            for test in found[name]["tests"]:
                text = json.dumps(test["data"], ensure_ascii=False)
                ids = encode(text)
                if vocabulary.text(ids) != text.encode():
                    sys.exit(f"tasks.py: the tokenizer changes this text of {name}: {text[:200]}")
                tokens += len(ids)
                runs.append({"valid": test["valid"], "tokens": ids})
            # The schema is text, so that every engine reads the same one.
            schema = json.dumps(found[name]["schema"], ensure_ascii=False)
            out.write(json.dumps({"id": name, "schema": schema, "runs": runs}, ensure_ascii=False) + "\n")
    print(f"{arguments.out}: {len(wanted)} schemas, {tokens} tokens", file=sys.stderr)


if __name__ == "__main__":
    main()
