#!/usr/bin/env python3
"""Times the masks of llguidance and XGrammar as grammar-bench times Fovea's: same tasks, same clock, same lines.

    masks.py ENGINE --vocabulary FILE --tokenizer FILE.json --tasks FILE [--out FILE]
             [--matchers fresh|reset] [--repetitions N] [--masks-at FILE]

ENGINE   llguidance          as it comes
         llguidance-spaced   with exactly one blank after colons and commas, which is Fovea's rule too
         llguidance-unforced the same, and where bytes are forced it allows every token that fits, not only the one that
                             the tokenizer would write: the masks to compare Fovea's with
         xgrammar            as it comes: it closes objects that the schema leaves open
         xgrammar-open       with strict_mode off, which is what JSON Schema means

Times are this thread's processor time in microseconds. The call from Python into the engine is in them; "empty_us" says
what a call takes that does nothing.
"""
import argparse
import ctypes
import gc
import json
import resource
import statistics
import sys
import time
from functools import partial

import numpy as np

from vocabulary import Vocabulary

thread, process, wall = time.thread_time_ns, time.process_time_ns, time.perf_counter_ns


class Mask:
    """One bit for each token, as both engines want it."""

    def __init__(self, tokens):
        self.words = np.zeros((1, (tokens + 31) // 32), dtype=np.int32)
        self.place = (self.words.ctypes.data, self.words.nbytes)

    def contains(self, token): return bool(int(self.words[0, token >> 5]) >> (token & 31) & 1)

    def count(self): return int(np.bitwise_count(self.words.view(np.uint32)).sum())


class LLGuidance:
    def __init__(self, vocabulary, arguments, mask):
        self.tokenizer = self.module.LLTokenizer(
            arguments.tokenizer, n_vocab=len(vocabulary.pieces), eos_token=vocabulary.end)
        self.mask = mask

    @classmethod
    def load(cls):
        import llguidance
        cls.module = llguidance

    spaced, forces = False, True

    def source(self, schema):
        if self.spaced:
            members = json.loads(schema)
            members["x-guidance"] = {"whitespace_flexible": False, "item_separator": ", ", "key_separator": ": "}
            schema = json.dumps(members, ensure_ascii=False)
        if not self.forces:
            return json.dumps({"grammars": [{"lark_grammar": '%llguidance {"no_forcing": true}\nstart: %json ' + schema}]})
        return '{"grammars":[{"json_schema":' + schema + "}]}"

    def compile(self, source):
        matcher = self.module.LLMatcher(self.tokenizer, source, log_level=0)
        if matcher.is_error(): raise ValueError(matcher.get_error())
        return matcher

    def matcher(self, compiled): return compiled.deep_copy()

    def functions(self, matcher):
        return partial(matcher.unsafe_compute_mask_ptr, *self.mask.place), matcher.consume_token


class LLGuidanceSpaced(LLGuidance):
    spaced = True


class LLGuidanceUnforced(LLGuidanceSpaced):
    forces = False


class XGrammar:
    strict = True

    def __init__(self, vocabulary, arguments, mask):
        pieces = [b"" if token in vocabulary.special else piece for token, piece in enumerate(vocabulary.pieces)]
        info = self.module.TokenizerInfo(
            pieces, self.module.VocabType.RAW, vocab_size=len(pieces), stop_token_ids=[vocabulary.end])
        self.compiler = self.module.GrammarCompiler(info, max_threads=1)
        self.mask = mask

    @classmethod
    def load(cls):
        import torch
        import xgrammar
        torch.set_num_threads(1)
        cls.module = xgrammar

    def source(self, schema):
        self.compiler.clear_cache()
        return schema

    def compile(self, source): return self.compiler.compile_json_schema(source, strict_mode=self.strict)

    def matcher(self, compiled): return self.module.GrammarMatcher(compiled)

    def functions(self, matcher):
        return partial(matcher.fill_next_token_bitmask, self.mask.words), matcher.accept_token


class XGrammarOpen(XGrammar):
    strict = False


ENGINES = {"llguidance": LLGuidance, "llguidance-spaced": LLGuidanceSpaced, "llguidance-unforced": LLGuidanceUnforced,
           "xgrammar": XGrammar, "xgrammar-open": XGrammarOpen}


def microseconds(nanoseconds): return nanoseconds / 1000


class Heap(ctypes.Structure):
    """glibc's struct mallinfo2."""
    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")]


def heap():
    """Kilobytes on the heap now, large blocks included; 0 without glibc."""
    read = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if read is None: return 0
    read.restype = Heap
    now = read()
    return (now.uordblks + now.hblkhd) // 1024


def peak_memory():
    """The most memory that the program has had so far, in kilobytes."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "linux" else most // 1024


def overhead(mask):
    call, spans = partial(max, *mask.place), []
    for _ in range(10_001):
        start = thread()
        call()
        spans.append(thread() - start)
    return microseconds(statistics.median(spans))


def compile_schema(engine, schema, repetitions):
    """The compiled schema, and its times: the first, and the best of the repetitions."""
    first, times = None, []
    for _ in range(max(1, repetitions)):
        source = engine.source(schema)
        start = thread()
        compiled = engine.compile(source)
        done = thread()
        engine.functions(engine.matcher(compiled))[0]()
        times.append((microseconds(done - start), microseconds(thread() - start)))
        first = first or compiled
        if times[0][0] > 1e5: break  # no need to see that three times
    return first, {"compile_us": times[0][0], "first_mask_us": times[0][1],
                   "best_compile_us": min(t[0] for t in times), "best_first_mask_us": min(t[1] for t in times)}


def measure_run(engine, run, matcher, end_token):
    masks, accepts, density = [], [], []
    fill, accept = engine.functions(matcher)
    good, mask = True, engine.mask
    for token in run["tokens"]:
        before = thread()
        fill()
        after = thread()
        masks.append(microseconds(after - before))
        density.append(mask.count())
        if not mask.contains(token):
            good = False
            break
        before = thread()
        accept(token)
        after = thread()
        accepts.append(microseconds(after - before))
    if good:
        fill()
        good = mask.contains(end_token)
    return {"valid": run["valid"], "accepted": good, "at": len(accepts),
            "mask_us": masks, "accept_us": accepts, "density": density}


def measure(engine, task, arguments, end_token):
    before = heap()
    try:
        compiled, result = compile_schema(engine, task["schema"], arguments.repetitions)
    except Exception as error:  # each engine has its own ways to refuse
        return {"id": task["id"], "error": str(error)[:300]}
    matcher, runs, held = engine.matcher(compiled), [], 0
    for run in task["runs"]:
        begin = thread()
        if arguments.matchers == "fresh": matcher = engine.matcher(compiled)
        else: matcher.reset()
        start_us = microseconds(thread() - begin)
        runs.append({"start_us": start_us, **measure_run(engine, run, matcher, end_token)})
        held = max(held, heap() - before)
    return {"id": task["id"], **result, "held_kb": held, "runs": runs}


def write_masks(engine, tasks, arguments):
    with open(arguments.masks_at, encoding="utf-8") as points, open(arguments.out, "w") as out:
        for name, run, step in (line.rstrip("\n").split("\t") for line in points):
            compiled = engine.compile(engine.source(tasks[name]["schema"]))
            fill, accept = engine.functions(engine.matcher(compiled))
            for token in tasks[name]["runs"][int(run)]["tokens"][: int(step)]:
                fill()
                accept(token)
            fill()
            out.write(engine.mask.words.tobytes().hex() + "\n")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("engine", choices=ENGINES)
    for name in ("vocabulary", "tokenizer", "tasks"): parser.add_argument("--" + name, required=True)
    parser.add_argument("--out", default="/dev/stdout")
    parser.add_argument("--matchers", choices=("fresh", "reset"), default="fresh")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--masks-at")
    arguments = parser.parse_args()

    kind = ENGINES[arguments.engine]
    kind.load()
    begin = thread()
    vocabulary = Vocabulary(arguments.vocabulary)
    tasks = [json.loads(line) for line in open(arguments.tasks, encoding="utf-8")]
    mask = Mask(len(vocabulary.pieces))
    read_ms = microseconds(thread() - begin) / 1000
    gc.collect()
    gc.disable()
    before = heap()
    start = thread(), process(), wall()
    engine = kind(vocabulary, arguments, mask)
    setup = [microseconds(now - then) / 1000 for now, then in zip((thread(), process(), wall()), start)]
    indexed = heap()
    if arguments.masks_at:
        write_masks(engine, {task["id"]: task for task in tasks}, arguments)
        return
    with open(arguments.out, "w", encoding="utf-8") as out:
        def write(line):
            out.write(json.dumps(line) + "\n")
            out.flush()
        write({"engine": arguments.engine, "vocabulary": arguments.vocabulary, "tokens": len(vocabulary.pieces),
               "matchers": arguments.matchers, "setup_ms": setup[0], "setup_process_ms": setup[1],
               "setup_wall_ms": setup[2], "read_ms": read_ms, "empty_us": overhead(mask),
               "index_kb": indexed - before})
        for task in tasks: write(measure(engine, task, arguments, vocabulary.end))
        write({"peak_kb": peak_memory()})


if __name__ == "__main__":
    main()
