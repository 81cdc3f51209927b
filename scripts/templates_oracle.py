"""Chat templates of real models, rendered by jinja2 and by Fovea; scripts/templates-oracle runs it.

Every template is rendered with every conversation in several variants, and the texts are compared byte for
byte. Where jinja2 raises, Fovea must refuse too, whatever its words. Exit code 1 when a case differs.
"""
import argparse
import collections
import copy
import datetime
import glob
import json
import mmap
import os
import struct
import subprocess
import sys
import tempfile
import time

import jinja2
from jinja2 import ext, nodes, sandbox

NOW = 1721900000  # 25 July 2024
# Seconds without a line of output after which a program counts as hung.
PATIENCE = 20
# So often the program is started again after it ended within a case.
MOST_FAILURES = 20


class Generation(ext.Extension):
    """{% generation %}…{% endgeneration %} marks what the assistant wrote; here it only has its scope."""
    tags = {"generation"}

    def parse(self, parser):
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
        return nodes.CallBlock(self.call_method("render"), [], [], body).set_lineno(line)

    def render(self, caller): return caller()


def tojson(value, ensure_ascii=False, indent=None, separators=None, sort_keys=False):
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, separators=separators, sort_keys=sort_keys)


def make_environment(optimized=True):
    """Jinja as the transformers library sets it up for chat templates, with a clock that stands still."""
    environment = sandbox.ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, optimized=optimized, extensions=[Generation, ext.loopcontrols])

    def raise_exception(message): raise jinja2.exceptions.TemplateError(message)

    def strftime_now(form): return datetime.datetime.fromtimestamp(NOW, datetime.timezone.utc).strftime(form)

    environment.filters["tojson"] = tojson
    environment.globals["raise_exception"] = raise_exception
    environment.globals["strftime_now"] = strftime_now
    return environment


ENVIRONMENT = make_environment()


class Reference:
    """Renders with jinja2; keeps the latest template."""

    def __init__(self, environment=ENVIRONMENT):
        self.environment = environment
        self.latest = (None, None)

    def __call__(self, case):
        try:
            if self.latest[0] != case["template"]:
                self.latest = (case["template"], None)
                self.latest = (case["template"], self.environment.from_string(case["template"]))
            if self.latest[1] is None: return {"error": "the template does not compile"}
            # Through JSON, so that both sides see the same context.
            return {"text": self.latest[1].render(json.loads(json.dumps(case["context"])))}
        except Exception as problem: return {"error": f"{type(problem).__name__}: {problem}"}


def line_of(case):
    return json.dumps({name: case[name] for name in ("template", "context", "now")}, ensure_ascii=False) + "\n"


def run_program(program, cases):
    """The answers of the program. Where it ends or hangs within a case, that case has the answer
    {"failure": why}, and the program starts again behind it."""
    answers = []
    with tempfile.TemporaryDirectory() as folder:
        while len(answers) < len(cases):
            source, target = os.path.join(folder, "in"), os.path.join(folder, "out")
            with open(source, "w", encoding="utf-8", newline="") as file:
                file.writelines(line_of(case) for case in cases[len(answers):])
            with open(source, "rb") as standard_input, open(target, "wb") as standard_output:
                process = subprocess.Popen([program], stdin=standard_input, stdout=standard_output)
                size, since, why = 0, time.monotonic(), None
                while True:
                    try:
                        process.wait(0.1)
                        break
                    except subprocess.TimeoutExpired: pass
                    if os.path.getsize(target) != size: size, since = os.path.getsize(target), time.monotonic()
                    elif time.monotonic() - since > PATIENCE and why is None:
                        why = f"no answer within {PATIENCE} seconds"
                        process.kill()
            with open(target, "rb") as file: lines = file.read().split(b"\n")
            answers += [json.loads(line) for line in lines[:-1]]
            if len(answers) < len(cases):
                answers.append({"failure": why or f"the program ended with code {process.returncode}"})
                if sum("failure" in answer for answer in answers) >= MOST_FAILURES:
                    answers += [{"failure": "not run"}] * (len(cases) - len(answers))
    return answers


def differs(reference, answer):
    if "failure" in answer: return True
    if "error" in reference: return "error" not in answer
    return answer.get("text") != reference["text"]


def describe(reference, answer, width=60):
    """What both sides say, around the first place where they differ."""
    texts = [side.get("text") for side in (reference, answer)]
    if None in texts:
        return "\n".join(f"    {name}: " + ", ".join(f"{key}: {shorten(value)}" for key, value in side.items())
                         for name, side in (("jinja2", reference), ("fovea ", answer)))
    # Compared by value, so that texts that look alike are told apart.
    at = next((i for i, (a, b) in enumerate(zip(*texts)) if a != b), min(map(len, texts)))
    return f"    first difference at character {at}\n" + "\n".join(
        f"    {name}: {ascii(text[max(0, at - width):at])} then {ascii(text[at:at + width])}"
        for name, text in zip(("jinja2", "fovea "), texts))


def shorten(text, limit=300): return ascii(text if len(text) <= limit else text[:limit] + "…")


def write_cases(folder, name, cases):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8", newline="") as file:
        for case, reference, answer in cases:
            json.dump({**case, "reference": reference, "answer": answer}, file, ensure_ascii=False)
            file.write("\n")


# Templates


class Metadata:
    """The texts in a GGUF file's metadata whose key starts with a prefix."""
    SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
    STRING, ARRAY = 8, 9

    def __init__(self, path, prefix):
        self.texts = {}
        with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as self.data:
            self.place = 0
            if self.take("<4s") != b"GGUF": raise ValueError(f"{path} is not a GGUF file")
            self.take("<I")  # version
            self.take("<Q")  # tensors
            for _ in range(self.take("<Q")):
                key, kind = self.string().decode(), self.take("<I")
                if kind == self.STRING and key.startswith(prefix): self.texts[key] = self.string().decode()
                else: self.skip(kind)

    def take(self, form):
        value, = struct.unpack_from(form, self.data, self.place)
        self.place += struct.calcsize(form)
        return value

    def string(self):
        length = self.take("<Q")
        self.place += length
        return self.data[self.place - length:self.place]

    def skip(self, kind):
        if kind == self.STRING: self.string()
        elif kind == self.ARRAY:
            kind, count = self.take("<I"), self.take("<Q")
            if kind in self.SIZES: self.place += self.SIZES[kind] * count
            else:
                for _ in range(count): self.skip(kind)
        else: self.place += self.SIZES[kind]


def read_text(path):
    # As it stands: no translation of line ends.
    with open(path, encoding="utf-8", newline="") as file: return file.read()


def gather(source):
    """name -> text of every template in the source of llama.cpp and in this repository's tests."""
    templates = {}
    for path in sorted(glob.glob(os.path.join(source, "models/templates/*.jinja"))):
        templates[os.path.basename(path)] = read_text(path)
    for path in sorted(glob.glob(os.path.join(source, "models/ggml-vocab-*.gguf"))):
        for key, text in Metadata(path, "tokenizer.chat_template").texts.items():
            name = os.path.basename(path) + key.removeprefix("tokenizer.chat_template").replace(".", ":")
            templates[name] = text
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for path in sorted(glob.glob(os.path.join(root, "Tests/**/*.jinja"), recursive=True)):
        templates[os.path.relpath(path, root)] = read_text(path)
    return templates


# Conversations


def says(role, content, **more): return {"role": role, "content": content, **more}


def user(content): return says("user", content)


def assistant(content, **more): return says("assistant", content, **more)


def text(content): return {"type": "text", "text": content}


def call(name, arguments, identifier=None):
    made = {"type": "function", "function": {"name": name, "arguments": arguments}}
    return made if identifier is None else {"id": identifier, **made}


WEATHER = {"type": "function", "function": {
    "name": "get_weather", "description": "Tells the weather at a place.\nSeveral lines, \"quotes\" & <signs>.",
    "parameters": {"type": "object", "required": ["place"], "properties": {
        "place": {"type": "string", "description": "A town: Zürich, 東京"},
        "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
        "days": {"type": "integer", "minimum": 1, "maximum": 14}}}}}
SUM = {"type": "function", "function": {
    "name": "sum", "description": "Adds numbers.", "strict": True,
    "parameters": {"type": "object", "additionalProperties": False, "required": ["numbers", "options"], "properties": {
        "numbers": {"type": "array", "items": {"type": "number"}, "description": "What is added"},
        "options": {"type": "object", "properties": {
            "round": {"type": "boolean", "default": False}, "digits": {"type": ["integer", "null"]}}},
        "label": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "mode": {"oneOf": [{"type": "string", "enum": ["a", "b"]}, {"type": "integer"}]}}},
    "return": {"type": "number", "description": "The sum"}}}
NO_PARAMETERS = {"type": "function", "function": {
    "name": "now", "description": "The time.", "parameters": {"type": "object", "properties": {}}}}
TOOLS = [WEATHER, SUM, NO_PARAMETERS]
ARGUMENTS = {"place": "Zürich \"old town\"", "days": 3, "exact": True, "none": None, "ratio": 0.5,
             "nested": {"list": [1, 2.5, "x\ny", {}], "empty": []}}
DOCUMENTS = [
    {"title": "Penguins", "text": "Emperor penguins are the tallest.\n", "doc_id": 0, "url": "https://example.org/a?b=c&d"},
    {"title": "Größe & <Maße>", "text": "They are \"tall\": 1.2 m.", "doc_id": 1, "snippet": "tall"}]


def tool_turn(arguments, content="", identifier="abcdefghi", **result):
    return [user("How is the weather in Zürich?"),
            assistant(content, tool_calls=[call("get_weather", arguments, identifier)]),
            says("tool", '{"temperature": 21.5, "sky": "☀"}', tool_call_id=identifier, name="get_weather", **result)]


def conversations():
    """name -> (messages, more of the context)."""
    tools = {"tools": TOOLS}
    many = [user("Both, please."),
            assistant("I look.", tool_calls=[call("get_weather", {"place": "Bern"}, "aaaaaaaaa"),
                                             call("sum", {"numbers": [1, -2.5], "options": {}}, "bbbbbbbbb")]),
            says("tool", "rain", tool_call_id="aaaaaaaaa", name="get_weather"),
            says("tool", "-1.5", tool_call_id="bbbbbbbbb", name="sum"), assistant("Rain, and -1.5."),
            user("Thanks."), assistant("You are welcome.")]
    image = [{"type": "image"}, text("What is this?")]
    url = [text("What is this?"), {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}]
    sound = [{"type": "audio"}, {"type": "audio", "audio_url": "a.wav"}, text("What is said?")]
    return {
        "one question": ([user("Hello, who are you?")], {}),
        "system": ([says("system", "You are a helpful assistant."), user("Hello")], {}),
        "developer": ([says("developer", "Be brief."), user("Hello")], {}),
        "several turns": ([says("system", "Be kind."), user("One?"), assistant("Two."), user("Three?"), assistant("Four."),
                           user("Five?")], {}),
        "ends with the assistant": ([user("One?"), assistant("Two.")], {}),
        "empty system": ([says("system", ""), user("Hello")], {}),
        "text parts": ([says("system", [text("Be kind.")]), user([text("One "), text("two")]), assistant([text("three")]),
                        user([text("four")])], {}),
        "image": ([user(image)], {}),
        "image, then text": ([user(image), assistant("A cat."), user("Sure?")], {}),
        "image_url": ([says("system", "You see."), user(url)], {}),
        "two images": ([user([{"type": "image"}, text("Same as"), {"type": "image"}, text("?")])], {}),
        "audio": ([user(sound)], {}),
        "video": ([user([{"type": "video", "video": "v.mp4"}, text("What happens?")])], {}),
        "unknown part": ([user([{"type": "hologram", "data": 1}, text("?")])], {}),
        "tools": ([user("Weather?")], tools),
        "tools and system": ([says("system", "You may call functions."), user("Weather?")], tools),
        "tool without wrapper": ([user("Weather?")], {"tools": [WEATHER["function"]]}),
        "flat tools": ([user("Weather?")], {"tools": [{
            "name": "get_weather", "description": "Tells the weather.", "parameter_definitions": {
                "place": {"type": "str", "description": "A town", "required": True},
                "days": {"type": "list[int]", "description": "How many", "required": False}}}]}),
        "empty tools": ([user("Weather?")], {"tools": []}),
        "tool call": (tool_turn(ARGUMENTS), tools),
        "tool call, arguments as text": (tool_turn(json.dumps(ARGUMENTS, ensure_ascii=False)), tools),
        "tool call, no content": (tool_turn({"place": "Zürich"}, None), tools),
        "tool call, no identifier": ([user("?"), assistant("", tool_calls=[call("now", {})]), says("tool", "12:00")], tools),
        "tool call, content left out": (
            [user("?"), {"role": "assistant", "tool_calls": [call("now", {}, "nownownow")]},
             says("tool", "12:00", tool_call_id="nownownow", name="now")], tools),
        "tool call, no tools given": (tool_turn({"place": "Bern"}), {}),
        "tool call with reasoning": (
            [user("?"), assistant("", reasoning_content="I need the time.", tool_calls=[call("now", {}, "nownownow")]),
             says("tool", "12:00", tool_call_id="nownownow", name="now"), assistant("Noon.", reasoning_content="It is 12."),
             user("And now?")], tools),
        "tool result as object": ([*tool_turn({"place": "Bern"})[:2],
                                   says("tool", {"sky": "grey", "list": [1, None]}, tool_call_id="abcdefghi")], tools),
        "tool result as parts": ([*tool_turn({"place": "Bern"})[:2],
                                  says("tool", [text("grey")], tool_call_id="abcdefghi", name="get_weather")], tools),
        "two tool calls": (many, tools),
        "tool role first": ([says("tool", "12:00", tool_call_id="nownownow", name="now"), user("?")], {}),
        "ends with a tool call": (tool_turn({"place": "Bern"})[:2], tools),
        "reasoning": ([user("1+1?"), assistant("2", reasoning_content="Count: one, two.\n"), user("2+2?"),
                       assistant("4", reasoning_content="Four."), user("3+3?")], {}),
        "reasoning last": ([user("1+1?"), assistant("2", reasoning_content=" Count.\n\n")], {}),
        "thinking key": ([user("1+1?"), assistant("2", thinking="Count.", reasoning="Count."), user("2+2?")], {}),
        "think tags": ([user("1+1?"), assistant("<think>\nCount.\n</think>\n\n2"), user("2+2?"),
                        assistant("<think></think>4"), user("3+3?")], {}),
        "end of thinking alone": ([user("1+1?"), assistant("Count.</think>2"), user("2+2?")], {}),
        "no_think": ([says("system", "Be quick. /no_think"), user("1+1? /no_think"), assistant("2"), user("2+2? /think")], {}),
        "unicode": ([says("system", "Sei höflich – „immer“."), user("你好,世界! 👩‍👩‍👧‍👦🇨🇭 e\u0301 \u00a0x\u00a0 \u200b\ufeff"),
                     assistant("مرحبا \u2028\u2029 ñ \U0001d518"), user("\u00a0\u3000日本語\u3000\u00a0")], {}),
        "combining marks after line ends": ([user("\u0301a\n\u0301b\r\nc\r\u0301"), assistant("\u200d\n\u0308"), user("}\u0301")], {}),
        "empty content": ([user(""), assistant(""), user("")], {}),
        "content is null": ([user("Hello"), assistant(None), user("?")], {}),
        "special tokens": ([says("system", "<|im_end|>"), user("[INST] <s></s> <|eot_id|> [/INST] <|im_end|>\n<|im_start|>system"),
                            assistant("</s> {{ x }} {% raw %} <end_of_turn> <|start|>"), user("<<SYS>> <tool_call> ]]><!--")], {}),
        "blanks": ([says("system", "  \n sys \n\n"), user("\n\n  text\t \n"), assistant("  \n answer \r\n "), user("\t\n")], {}),
        "line ends": ([user("a\r\nb\rc\n\nd\x0be\x0cf\x85g"), assistant("x\n"), user("\ny")], {}),
        "quotes and backslashes": ([user("\"'\\n \\\\ / \x00\x1f\x7f </script> & é"), assistant("'"), user("\\")], {}),
        "documents": ([user("How tall?")], {"documents": DOCUMENTS}),
        "documents and tools": ([says("system", "Cite."), user("How tall?")], {"documents": DOCUMENTS, **tools}),
        "two user messages": ([user("One?"), user("Two?")], {}),
        "two assistant messages": ([user("One?"), assistant("Two."), assistant("Three."), user("?")], {}),
        "assistant first": ([assistant("Hello."), user("Hello.")], {}),
        "late system": ([user("One?"), assistant("Two."), says("system", "Stop."), user("Three?")], {}),
        "two systems": ([says("system", "One."), says("system", "Two."), user("Three?")], {}),
        "unknown role": ([user("One?"), says("narrator", "Meanwhile."), user("Two?")], {}),
        "named users": ([says("user", "One?", name="ann"), says("assistant", "Two.", name="bot", refusal=None), user("?")], {}),
        "long": ([turn for i in range(12) for turn in (user(f"Question {i}"), assistant(f"Answer {i}"))] + [user("End")], {}),
        "no messages": ([], {}),
    }


TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>", "unk_token": "<unk>"}
# The transformers library always gives these two, null where there are none.
GIVEN = {"tools": None, "documents": None}
VARIANTS = {
    "plain": {**TOKENS, **GIVEN, "add_generation_prompt": True},
    "no generation prompt": {**TOKENS, **GIVEN, "add_generation_prompt": False},
    "thinking": {**TOKENS, **GIVEN, "add_generation_prompt": True, "enable_thinking": True, "thinking": True,
                 "thinking_mode": "enabled", "reasoning_effort": "high", "keep_past_thinking": True},
    "no thinking": {**TOKENS, **GIVEN, "add_generation_prompt": True, "enable_thinking": False, "thinking": False,
                    "thinking_mode": "disabled", "reasoning_effort": "low", "reasoning_mode": "/no_think", "thinking_budget": 0},
    "no tokens, nothing given": {"add_generation_prompt": True},
    "nothing": {},
    "options": {**TOKENS, **GIVEN, "add_generation_prompt": True, "enable_thinking": True, "reasoning_effort": "medium",
                "date_string": "1 Jan 2026", "tools_in_user_message": False, "builtin_tools": ["browser", "python"],
                "preserve_thinking": True, "clear_thinking": False, "custom_instructions": "Sing.", "citation_mode": "accurate",
                "add_vision_id": True, "thinking_budget": 512, "truncate_history_thinking": False, "enable_citations": True,
                "model_identity": "You are a test.", "controls": {"length": "short", "originality": "abstractive"},
                "tool_choice": "required", "drop_thinking": False, "render_assistant_messages_raw": True, "datetime": "now",
                "functions": json.dumps([WEATHER["function"]], indent=4, ensure_ascii=False),
                "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": {"type": "object"}}}},
}


def cases_of(name, template):
    for talk, (messages, more) in conversations().items():
        for variant, options in VARIANTS.items():
            context = {"messages": copy.deepcopy(messages), **options, **more}
            yield {"template": template, "context": context, "now": NOW, "name": f"{name}: {talk}, {variant}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", default="", help="the folder of llama.cpp's source")
    parser.add_argument("--program", help="fovea-templates")
    parser.add_argument("--only", default="", metavar="NAME", help="only templates with this in their name")
    parser.add_argument("--keep", metavar="FOLDER", help="where cases that differ are written, as JSON lines")
    parser.add_argument("--verbose", action="store_true", help="a row for every template")
    parser.add_argument("--reference-only", action="store_true", help="render with jinja2 alone")
    options = parser.parse_args()
    if not os.path.isdir(os.path.join(options.source, "models/templates")):
        print("templates: NOT RUN: the source of llama.cpp is missing; scripts/setup --print-source fetches it")
        return 0
    if not options.program and not options.reference_only: parser.error("--program is missing")
    templates = {name: text for name, text in gather(options.source).items() if options.only in name}
    if not templates:
        print(f"templates: no template has '{options.only}' in its name")
        return 2
    total = collections.Counter()
    for name, template in templates.items():
        cases, reference = list(cases_of(name, template)), Reference()
        expected = [reference(case) for case in cases]
        counts = collections.Counter("error" if "error" in answer else "rendered" for answer in expected)
        if not options.reference_only:
            counts.clear()
            wrong = []
            for case, wanted, answer in zip(cases, expected, run_program(options.program, cases), strict=True):
                if differs(wanted, answer): wrong.append((case, wanted, answer))
                else: counts["error" if "error" in wanted else "rendered"] += 1
            counts["different"] = len(wrong)
            if wrong and options.keep: write_cases(options.keep, name.replace("/", "-") + ".jsonl", wrong)
        if options.verbose or counts["different"]:
            print(f"templates: {name}: rendered {counts['rendered']}, errors on both sides {counts['error']}, "
                  f"different {counts['different']}")
            if options.verbose and options.reference_only:
                reasons = collections.Counter(answer["error"][:100] for answer in expected if "error" in answer)
                for reason, number in reasons.most_common(5): print(f"    {number} {reason}")
            if counts["different"]: print(f"  {wrong[0][0]['name']}\n{describe(*wrong[0][1:])}", flush=True)
        total += counts
    print(f"templates: {len(templates)} templates, {len(conversations())} conversations, {len(VARIANTS)} variants, "
          f"errors on both sides {total['error']}" if not options.reference_only else
          f"templates: reference only: rendered {total['rendered']}, raised {total['error']}")
    if not options.reference_only: print(f"templates: rendered={total['rendered']} different={total['different']}")
    return 1 if total["different"] else 0


if __name__ == "__main__": sys.exit(main())
