"""Times chat templates in Fovea and in jinja2, in turns; scripts/bench-templates runs it.

Each template renders one conversation of about 4,000 tokens, read from JSON beforehand on both sides. What is
timed is one rendering, from the messages to the text. The sides take turns, and each has its fastest turn
counted: on a machine that does other things too, the fastest is the one that was least disturbed.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import time

import templates_oracle as oracle

# Real templates of llama.cpp's collection, and what the conversation has beside its turns.
TEMPLATES = [
    ("ChatML", "Qwen-Qwen2.5-7B-Instruct.jinja", {"system"}),
    ("Llama 3.1", "meta-llama-Llama-3.1-8B-Instruct.jinja", {"system"}),
    ("Gemma 2", "google-gemma-2-2b-it.jinja", set()),
    ("Qwen3", "Qwen-Qwen3-0.6B.jinja", {"system"}),
    ("Mistral Nemo", "mistralai-Mistral-Nemo-Instruct-2407.jinja", {"system"}),
    ("DeepSeek R1 distilled", "deepseek-ai-DeepSeek-R1-Distill-Llama-8B.jinja", {"system"}),
    ("Qwen3, tools", "Qwen-Qwen3-0.6B.jinja", {"system", "tools"}),
    ("Llama 3.1, tools", "meta-llama-Llama-3.1-8B-Instruct.jinja", {"system", "tools"}),
    ("Hermes 2 Pro, tools", "NousResearch-Hermes-2-Pro-Llama-3-8B-tool_use.jinja", {"system", "tools"}),
]
QUESTION = ("I keep the receipts of a small bakery in Zürich, about forty a week, and want to know where the money "
            "goes. Row {0} of the list says: “Mühle AG, 25 kg flour type 550, CHF 31.90, paid on 12 March”. "
            "Which column should the {0}th entry go to, and is 2.6 % or 8.1 % the right rate?\n")
ANSWER = ("Flour is food, so the reduced rate applies: CHF 31.90 with 2.6 % has CHF 0.81 of tax in it.\n\n"
          "1. Put the **net** amount, 31.09, into \"Ingredients\".\n2. Put the tax into \"Input tax\", row {0}.\n"
          "3. Keep the picture of the receipt for ten years: `receipts/2025/03/{0:03}.png`.\n\n"
          "Should you ever buy napkins from the same mill, they go to \"Supplies\" at 8.1 %, as they are no food. "
          "Tell me the next row when you are ready, and I go on in the same way.")
TURNS = 20


def conversation(parts):
    """About 4,000 tokens, at four characters each."""
    messages = []
    if "system" in parts: messages.append(oracle.says("system", "You assist an accountant. Be exact and brief."))
    for turn in range(1, TURNS + 1):
        messages.append(oracle.user(QUESTION.format(turn)))
        if "tools" in parts and turn % 4 == 0:
            arguments = {"place": "Zürich", "days": turn, "unit": "celsius"}
            messages.append(oracle.assistant("", tool_calls=[oracle.call("get_weather", arguments, f"call{turn:05}")]))
            messages.append(oracle.says("tool", json.dumps({"temperature": turn, "sky": "grey"}), name="get_weather",
                                        tool_call_id=f"call{turn:05}"))
        messages.append(oracle.assistant(ANSWER.format(turn)))
    messages.append(oracle.user("And what is the sum of all rows?"))
    return messages


def context(parts):
    tools = oracle.TOOLS if "tools" in parts else None
    return {"messages": conversation(parts), **oracle.TOKENS, "tools": tools, "documents": None,
            "add_generation_prompt": True}


def time_fovea(program, line, count):
    """Microseconds a rendering, and the text."""
    done = subprocess.run([program, "--time", str(count)], input=line, capture_output=True, text=True, check=True)
    return float(re.search(r"1: ([0-9.]+) µs", done.stderr)[1]), json.loads(done.stdout).get("text")


def time_jinja(template, values, count):
    start = time.perf_counter()
    for _ in range(count): text = template.render(**values)
    return (time.perf_counter() - start) / count * 1e6, text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", default="", help="the folder of llama.cpp's source")
    parser.add_argument("--program", required=True, help="fovea-templates")
    parser.add_argument("--count", type=int, default=200, help="renderings a turn")
    parser.add_argument("--turns", type=int, default=7, help="turns of each side")
    options = parser.parse_args()
    folder = os.path.join(options.source, "models/templates")
    if not os.path.isdir(folder):
        print("templates: NOT RUN: the source of llama.cpp is missing; scripts/setup --print-source fetches it")
        return 0
    print("| template | characters | jinja2, µs | Fovea, µs | times as fast |\n|---|--:|--:|--:|--:|")
    for name, file, parts in TEMPLATES:
        source, values = oracle.read_text(os.path.join(folder, file)), context(parts)
        line = oracle.line_of({"template": source, "context": values, "now": oracle.NOW})
        template = oracle.make_environment().from_string(source)
        jinja, fovea = [], []
        for turn in range(options.turns):
            sides = [(jinja, lambda: time_jinja(template, values, options.count)),
                     (fovea, lambda: time_fovea(options.program, line, options.count))]
            texts = set()
            for times, measure in reversed(sides) if turn % 2 else sides:
                spent, text = measure()
                times.append(spent)
                texts.add(text)
            if len(texts) != 1 or None in texts:
                print(f"templates: {name}: the two sides write different texts")
                return 1
        best = min(jinja), min(fovea)
        print(f"| {name} | {len(text):,} | {best[0]:.0f} | {best[1]:.0f} | {best[0] / best[1]:.1f} |", flush=True)
    return 0


if __name__ == "__main__": sys.exit(main())
