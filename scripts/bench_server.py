"""Times typed extraction in Fovea and in llama.cpp's server, in turns; see scripts/bench-server."""

import argparse
import base64
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

import text_receipts

ROOT = Path(__file__).resolve().parent.parent
TINY = ROOT / "Models/tiny-receipt"
PROMPT = "Extract the receipt as JSON."


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """llama-server with one slot and its prompt cache on."""

    def __init__(self, program, model, projector, threads, context):
        self.url = f"http://127.0.0.1:{free_port()}"
        port = self.url.rsplit(":", 1)[1]
        command = [program, "-m", model, "--port", port, "--host", "127.0.0.1", "-np", "1", "-c", str(context),
                   "-t", str(threads), "-tb", str(threads), "--jinja", "--no-warmup"]
        if projector:
            command += ["--mmproj", projector]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(600):
            try:
                if urllib.request.urlopen(self.url + "/health", timeout=5).status == 200:
                    return
            except OSError:
                time.sleep(0.1)
        sys.exit("bench-server: the server did not start")

    def ask(self, messages, schema, most):
        body = {
            "messages": messages, "temperature": 0, "max_tokens": most, "cache_prompt": True,
            "response_format": {"type": "json_schema", "json_schema": {"name": "value", "schema": schema}},
        }
        request = urllib.request.Request(self.url + "/v1/chat/completions", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        start = time.perf_counter()
        answer = json.load(urllib.request.urlopen(request, timeout=600))
        elapsed = time.perf_counter() - start
        return elapsed, answer["choices"][0]["message"]["content"], answer["usage"]

    def close(self):
        self.process.terminate()
        self.process.wait()


class Worker:
    """fovea-worker: one loaded model, a document a line."""

    def __init__(self, program, model, projector, schema, threads, context, without=()):
        command = [program, "--model", model, "--schema", schema, "--prompt", PROMPT, "--threads", str(threads),
                   "--context", str(context)]
        if projector:
            command += ["--projector", projector]
        for what in without:
            command += ["--without", what]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.messages = json.loads(self.process.stdout.readline())["messages"]

    def ask(self, path):
        start = time.perf_counter()
        self.process.stdin.write(str(path) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        return time.perf_counter() - start, answer["json"], answer["usage"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def filled(messages, document):
    """The worker's messages with the document in them: text, or a picture before the instruction."""
    if isinstance(document, str):
        return [dict(m, content=m["content"].replace("DOCUMENT", document)) for m in messages]
    picture = {"type": "image_url", "image_url": {
        "url": "data:image/png;base64," + base64.b64encode(document).decode()}}
    question = {"role": "user", "content": [picture, {"type": "text", "text": PROMPT}]}
    return messages[:-1] + [question]


def run_case(name, options, model, projector, schema, documents, threads, context):
    text = json.loads(Path(schema).read_text())
    server = Server(options.server, model, projector, threads, context)
    workers = {
        "fovea": Worker(options.worker, model, projector, schema, threads, context),
        "without jumps": Worker(options.worker, model, projector, schema, threads, context, ["jumps", "drafts"]),
        "without guesses": Worker(options.worker, model, projector, schema, threads, context, ["drafts"]),
    }
    times = {side: [] for side in ["server", *workers]}
    tokens = {side: [] for side in times}
    try:
        for index in range(options.pairs + 1):
            path = documents[index % len(documents)]
            document = path.read_bytes() if projector else path.read_text()
            turns = {"server": lambda: server.ask(filled(workers["fovea"].messages, document), text, 512)}
            for side, worker in workers.items():
                turns[side] = lambda worker=worker: worker.ask(path)
            order = list(turns) if index % 2 else list(turns)[::-1]
            for side in order:
                elapsed, answer, usage = turns[side]()
                json.loads(answer)
                if index == 0:
                    continue  # the first round warms up
                times[side].append(elapsed)
                tokens[side].append(usage.get("written", usage.get("completion_tokens")))
    finally:
        server.close()
        for worker in workers.values():
            worker.close()
    median = {side: statistics.median(values) for side, values in times.items()}

    def ratio(other):
        return statistics.median(a / b for a, b in zip(times["fovea"], times[other]))

    print(f"| {name} | {len(times['server'])} | " + " | ".join(
        f"{median[side] * 1000:.0f} ms, {statistics.mean(tokens[side]):.0f}" for side in times)
        + f" | {ratio('server'):.2f} | {ratio('without jumps'):.2f} | {ratio('without guesses'):.2f} |", flush=True)
    return ratio("server")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ["fovea", "worker", "server", "text-model", "texts"]:
        parser.add_argument("--" + name, required=True)
    parser.add_argument("--pairs", type=int, default=12)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--only", choices=["text", "short text", "picture"])
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp())
    schema = subprocess.run([options.fovea, "schema", "--type", "receipt", "--json"], capture_output=True, text=True,
                            check=True).stdout
    (work / "schema.json").write_text(schema)
    bounded = work / "bounded.json"
    bounded.write_text(schema)
    text_receipts.bound(str(bounded), 8)
    short = work / "short.json"
    short.write_text(json.dumps({
        "type": "object", "additionalProperties": False, "required": ["vendor", "date", "total"],
        "properties": {"vendor": {"type": "string"}, "date": {"type": "string"}, "total": {"type": "number"}}}))
    pictures = [p for p in sorted((ROOT / "Examples/receipts").glob("*.png"))]
    texts = []
    if os.path.isdir(options.texts):
        folder = work / "texts"
        folder.mkdir()
        text_receipts.split(options.texts, str(folder))
        texts = sorted(folder.glob("*.txt"))
    else:
        print("bench-server: NOT RUN on texts: they are missing", file=sys.stderr)
    print("| case | pairs | server | Fovea | without jumps | without guesses | of the server | of without jumps "
          "| of without guesses |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    ratios = []
    if texts and options.only in (None, "text"):
        ratios.append(run_case("SmolLM2, receipt texts", options, options.text_model, None, str(bounded), texts,
                               options.threads, 4096))
    if texts and options.only in (None, "short text"):
        ratios.append(run_case("SmolLM2, three fields", options, options.text_model, None, str(short), texts,
                               options.threads, 4096))
    if options.only in (None, "picture"):
        ratios.append(run_case("embedded model, pictures", options, str(TINY / "fovea-tiny-f16.gguf"),
                               str(TINY / "mmproj-fovea-tiny-f16.gguf"), str(work / "schema.json"), pictures, 1, 2048))
    print(f"bench-server: ratio={max(ratios):.3f}")


if __name__ == "__main__":
    main()
