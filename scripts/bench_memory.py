"""Peak memory of Fovea and of llama-mtmd-cli, in turns; see scripts/bench-memory.

A child's peak begins with its parent's, so this program stays small: it imports nothing large.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TINY = ROOT / "Models/tiny-receipt"
PROMPT = "Extract the receipt as JSON."
SYSTEM = "You are a helpful assistant."
"""SmolLM2's template writes rules of its own where there are none, which llama-mtmd-cli leaves out."""
MEGA = 1_000_000


class Run:
    """One run of a program: its peak and what it printed."""

    def __init__(self, command, line):
        with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stdout, tempfile.TemporaryFile() as stderr:
            stdin.write(line.encode())
            stdin.seek(0)
            process = subprocess.Popen(list(map(str, command)), stdin=stdin, stdout=stdout, stderr=stderr)
            self.anonymous = 0
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                self.anonymous = max(self.anonymous, anonymous(process.pid))
                time.sleep(0.002)
            process.returncode = code = os.waitstatus_to_exitcode(status)
            stdout.seek(0)
            stderr.seek(0)
            self.text = stdout.read().decode(errors="replace")
            if code != 0:
                sys.exit(f"bench-memory: {' '.join(map(str, command))} ended with {code}: "
                         f"{stderr.read().decode(errors='replace').strip()[-500:]}")
            self.peak = usage.ru_maxrss * 1024


def anonymous(pid):
    """Bytes of resident memory that are no file's; 0 for a process that has just ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon:")), 0)


class Case:
    """The same job for both programs."""

    def __init__(self, model, projector, context, threads, write, picture=None, line="", typed=False, system=None):
        self.model, self.projector, self.picture, self.line, self.typed = model, projector, picture, line, typed
        self.context, self.threads, self.write, self.system = context, threads, write, system

    def fovea(self, options):
        command = [options.fovea, "extract" if self.typed else "chat", "--model", self.model, "--projector", self.projector,
                   "--context", self.context, "--batch", options.batch, "--kv-cache", "f16", "--threads", self.threads,
                   "--batch-threads", self.threads, "--flash-attention", options.flash_attention,
                   "--max-tokens", self.write, "--temperature", "0"]
        if self.system:
            command += ["--system", self.system]
        if self.typed:
            return [*command, "--type", "receipt", "--prompt", PROMPT, self.picture]
        return [*command, "--image", self.picture, PROMPT] if self.picture else command

    def peer(self, options):
        command = [options.peer, "-m", self.model, "--mmproj", self.projector, "-c", self.context, "-b", options.batch,
                   "-ub", options.batch, "-ctk", "f16", "-ctv", "f16", "-t", self.threads, "-tb", self.threads,
                   "-fa", options.flash_attention, "-n", self.write, "--temp", "0", "--log-verbosity", "1"]
        if self.system:
            command += ["-sys", self.system]
        return [*command, "--image", self.picture, "-p", PROMPT] if self.picture else command

    def agree(self, ours, theirs):
        """Whether both wrote the same. llama-mtmd-cli may end before it has printed its last letters, and repeats a
        message before its answer."""
        if self.line:
            theirs = theirs.rpartition(self.line.strip())[2]
        ours, theirs = "".join(ours.split()), "".join(theirs.split()).rstrip(">")
        return len(theirs) > 10 and ours.startswith(theirs)


def cases(options):
    picture = sorted((ROOT / "Examples/receipts").glob("0*.png"))[0]
    embedded = TINY / "fovea-tiny-f16.gguf", TINY / "mmproj-fovea-tiny-f16.gguf"
    large = options.text_model, options.projector
    message = "Write a long story about a baker. These are words for it: " + " ".join(["bread", "milk", "tea"] * 450)
    if options.only == "large":
        return {"large": Case(options.large_model, options.projector, 2048, 1, 8, picture)}
    return {
        "picture": Case(*embedded, 2048, 1, 256, picture),
        "typed": Case(*embedded, 2048, 1, 256, picture, typed=True),
        "vision": Case(*large, 4096, 1, 64, picture, system=SYSTEM),
        "text": Case(*large, 4096, 1, 64, line=message + "\n", system=SYSTEM),
    }


def main():
    parser = argparse.ArgumentParser(prog="bench-memory")
    for name in ("fovea", "peer", "text-model", "projector"):
        parser.add_argument(f"--{name}", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--only", choices=["picture", "typed", "vision", "text", "large"])
    parser.add_argument("--large-model", help=argparse.SUPPRESS)
    parser.add_argument("--flash-attention", choices=["on", "off"], default="off")
    parser.add_argument("--batch", type=int, default=512, help=argparse.SUPPRESS)
    parser.add_argument("--most", type=float)
    options = parser.parse_args()
    if options.pairs < 1:
        parser.error("--pairs must be at least 1")
    ratios = {}
    print("| case | pairs | Fovea, MB | llama-mtmd-cli, MB | ratio | from, to | anonymous: Fovea, MB | llama-mtmd-cli, MB "
          "| ratio | same text |\n|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    for name, case in cases(options).items():
        if options.only not in (None, name):
            continue
        runs = {"fovea": [], "peer": []}
        for pair in range(options.pairs):
            for side in ("fovea", "peer") if pair % 2 == 0 else ("peer", "fovea"):
                runs[side].append(Run(getattr(case, side)(options), case.line))
        found = [ours.peak / theirs.peak for ours, theirs in zip(runs["fovea"], runs["peer"])]
        same = sum(case.agree(ours.text, theirs.text) for ours, theirs in zip(runs["fovea"], runs["peer"]))
        if min(run.peak for run in runs["peer"]) <= resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024:
            sys.exit("bench-memory: this program is larger than what it measures")
        ratios[name] = statistics.median(found)
        peaks = [statistics.median(run.peak for run in runs[side]) / MEGA for side in runs]
        own = [statistics.median(run.anonymous for run in runs[side]) / MEGA for side in runs]
        print(f"| {name} | {options.pairs} | {peaks[0]:.1f} | {peaks[1]:.1f} | {ratios[name]:.3f} | {min(found):.3f}, "
              f"{max(found):.3f} | {own[0]:.1f} | {own[1]:.1f} | {own[0] / own[1]:.2f} | {same} of {options.pairs} |",
              flush=True)
    print(f"bench-memory: ratio={max(ratios.values()):.3f}")
    if options.most is not None and max(ratios.values()) > options.most:
        sys.exit(f"bench-memory: more than {options.most}")


if __name__ == "__main__":
    main()
