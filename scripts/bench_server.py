"""Times typed extraction in Fovea and in llama.cpp's server, in turns; see scripts/bench-server."""

import argparse
import base64
import json
import socket
import statistics
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from bench_cases import PROMPT, Worker, add_options, cases


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """llama-server with one slot and its prompt cache on."""

    def __init__(self, program, case):
        self.url = f"http://127.0.0.1:{free_port()}"
        port = self.url.rsplit(":", 1)[1]
        threads = str(case.threads)
        command = [program, "-m", case.model, "--port", port, "--host", "127.0.0.1", "-np", "1", "-c",
                   str(case.context), "-t", threads, "-tb", threads, "--jinja", "--no-warmup"]
        if case.projector:
            command += ["--mmproj", case.projector]
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
        usage = dict(answer["usage"], prompt_seconds=answer["timings"]["prompt_ms"] / 1000)
        return elapsed, answer["choices"][0]["message"]["content"], usage

    def close(self):
        self.process.terminate()
        self.process.wait()


def filled(messages, document):
    """The worker's messages with the document in them: text, or a picture before the instruction."""
    if isinstance(document, str):
        return [dict(m, content=m["content"].replace("DOCUMENT", document)) for m in messages]
    picture = {"type": "image_url", "image_url": {
        "url": "data:image/png;base64," + base64.b64encode(document).decode()}}
    question = {"role": "user", "content": [picture, {"type": "text", "text": PROMPT}]}
    return messages[:-1] + [question]


def run_case(case, options):
    schema = json.loads(Path(case.schema).read_text())
    server = Server(options.server, case)
    workers = {
        "fovea": Worker(options.worker, case),
        "without jumps": Worker(options.worker, case, ["jumps", "drafts"]),
        "without guesses": Worker(options.worker, case, ["drafts"]),
    }
    times = {side: [] for side in ["server", *workers]}
    tokens = {side: [] for side in times}
    prompt_shares = []
    try:
        for index in range(options.pairs + 1):
            path = case.documents[index % len(case.documents)]
            document = path.read_bytes() if case.projector else path.read_text()
            turns = {"server": lambda: server.ask(filled(workers["fovea"].messages, document), schema, 512)}
            for side, worker in workers.items():
                turns[side] = lambda worker=worker: worker.ask(path)
            order = list(turns) if index % 2 else list(turns)[::-1]
            for side in order:
                elapsed, answer, usage = turns[side]()
                json.loads(answer)
                if index == 0:
                    continue  # the first round warms up
                times[side].append(elapsed)
                if side == "server":
                    prompt_shares.append(usage["prompt_seconds"] / elapsed)
                tokens[side].append(usage.get("written", usage.get("completion_tokens")))
    finally:
        server.close()
        for worker in workers.values():
            worker.close()
    median = {side: statistics.median(values) for side, values in times.items()}

    def ratio(other):
        return statistics.median(a / b for a, b in zip(times["fovea"], times[other]))

    print(f"| {case.name} | {len(times['server'])} | " + " | ".join(
        f"{median[side] * 1000:.0f} ms, {statistics.mean(tokens[side]):.0f}" for side in times)
        + f" | {statistics.median(prompt_shares):.2f} | {ratio('server'):.2f} | {ratio('without jumps'):.2f}"
        + f" | {ratio('without guesses'):.2f} |", flush=True)
    return ratio("server")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    add_options(parser)
    parser.add_argument("--server", required=True)
    options = parser.parse_args()
    chosen = [case for case in cases(options) if options.only in (None, case.key)]
    print("| case | pairs | server | Fovea | without jumps | without guesses | server's prompt | of the server "
          "| of without jumps | of without guesses |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    ratios = []
    for case in chosen:
        ratios.append(run_case(case, options))
    print(f"bench-server: ratio={max(ratios):.3f}")


if __name__ == "__main__":
    main()
