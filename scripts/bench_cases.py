"""What scripts/bench-server and scripts/bench-batch measure: models, schemas and documents."""

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import text_receipts

ROOT = Path(__file__).resolve().parent.parent
TINY = ROOT / "Models/tiny-receipt"
PROMPT = "Extract the receipt as JSON."


@dataclass
class Case:
    key: str
    name: str
    model: str
    projector: str | None
    schema: str
    documents: list
    threads: int
    context: int


class Worker:
    """fovea-worker: one loaded model, a document a line, or several at once."""

    def __init__(self, program, case, without=(), parallel=1):
        command = [program, "--model", case.model, "--schema", case.schema, "--prompt", PROMPT, "--threads",
                   str(case.threads), "--context", str(case.context), "--parallel", str(parallel)]
        if case.projector:
            command += ["--projector", case.projector]
        for what in without:
            command += ["--without", what]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.messages = json.loads(self.process.stdout.readline())["messages"]

    def ask(self, path):
        elapsed, answer = self.send([path])
        return elapsed, answer["json"], answer["usage"]

    def send(self, paths):
        start = time.perf_counter()
        self.process.stdin.write("\t".join(map(str, paths)) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return time.perf_counter() - start, answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def add_options(parser):
    for name in ["fovea", "worker", "text-model", "texts", "pictures"]:
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", choices=["text", "short text", "picture"])


def cases(options):
    """The cases; those of texts only where the texts are."""
    work = Path(tempfile.mkdtemp())
    schema = subprocess.run([options.fovea, "schema", "--type", "receipt", "--json"], capture_output=True, text=True,
                            check=True).stdout
    whole = work / "schema.json"
    whole.write_text(schema)
    found = []
    if os.path.isdir(options.texts):
        bounded = work / "bounded.json"
        bounded.write_text(schema)
        text_receipts.bound(str(bounded), 8)
        short = work / "short.json"
        short.write_text(json.dumps({
            "type": "object", "additionalProperties": False, "required": ["vendor", "date", "total"],
            "properties": {"vendor": {"type": "string"}, "date": {"type": "string"}, "total": {"type": "number"}}}))
        folder = work / "texts"
        folder.mkdir()
        text_receipts.split(options.texts, str(folder))
        texts = sorted(folder.glob("*.txt"))
        for key, name, limits in [("text", "SmolLM2, receipt texts", bounded), ("short text", "SmolLM2, three fields", short)]:
            found.append(Case(key, name, options.text_model, None, str(limits), texts, options.threads, 4096))
    else:
        print("NOT RUN on texts: they are missing", file=sys.stderr)
    pictures = sorted(Path(options.pictures).glob("*.png"))
    found.append(Case("picture", "embedded model, pictures", str(TINY / "fovea-tiny-f16.gguf"),
                      str(TINY / "mmproj-fovea-tiny-f16.gguf"), str(whole), pictures, 1, 2048))
    return found
