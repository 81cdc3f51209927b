"""Validates values that grammars wrote: check_walks.py FILE, or --self-test. scripts/check-walks runs it.

FILE has a JSON object in each line: {"id", "schema", "instance"}, the instance as JSON text. Each is
judged in the dialect of its schema, with formats enforced. Exit code 1 when one is invalid.
"""
import collections
import decimal
import json
import re
import sys
import warnings

from jsonschema import Draft202012Validator, _keywords, _legacy_keywords, _utils, validators

# Numbers are compared as they are written, never as binary fractions.
decimal.getcontext().prec = 4000
# Only this checker knows all formats of the standard; those of earlier drafts lack some.
FORMATS = Draft202012Validator.FORMAT_CHECKER

# Where the library and the standards disagree: (keyword, test of instance and rule) -> why.
KNOWN = [
    ("the library has no year 0", "format",
     lambda instance, rule: rule in ("date", "date-time") and instance.startswith("0000")),
    ("the library knows no leap seconds", "format",
     lambda instance, rule: rule in ("time", "date-time") and ":60" in instance),
]

CLASSES = {"d": "0-9", "w": "A-Za-z0-9_",
           "s": r"\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"}


def python_pattern(pattern):
    """An ECMA-262 pattern in Python's notation: Python's classes are those of Unicode, its $ also
    matches before a last line feed, and a dot excludes only one of four line ends."""
    result, i, inside = [], 0, False
    while i < len(pattern):
        two = pattern[i:i + 2]
        if two[:1] == "\\" and len(two) == 2:
            letter = two[1]
            if letter in CLASSES: result.append(CLASSES[letter] if inside else f"[{CLASSES[letter]}]")
            elif letter.lower() in CLASSES and not inside: result.append(f"[^{CLASSES[letter.lower()]}]")
            elif letter == "c": result.append(f"\\x{ord(pattern[i + 2]) % 32:02x}"); i += 1
            elif letter in "/-#&~ \"'%,:;<>=@!`_" or ord(letter) > 127: result.append(re.escape(letter))
            else: result.append(two)
            i += 2
            continue
        letter = two[:1]
        if inside:
            if letter == "]": inside = False
            elif letter == "[": letter = r"\["
            result.append(letter)
        elif letter == "[":
            inside = True
            result.append("[")
            # Empty classes, and a bracket in first place, mean something else in Python.
            if pattern[i:].startswith("[^]"): result[-1:] = [r"[\s\S]"]; inside, i = False, i + 2
            elif pattern[i:].startswith("[]"): result[-1:] = ["(?!)"]; inside, i = False, i + 1
            elif pattern[i:].startswith("[^"): result.append("^"); i += 1
        elif letter == "$": result.append(r"\Z")
        elif letter == ".": result.append(r"[^\n\r\u2028\u2029]")
        elif pattern[i:].startswith("(?<") and pattern[i + 3:i + 4] not in ("=", "!"): result.append("(?P<"); i += 2
        else: result.append(letter)
        i += 1
    return "".join(result)


class ECMAPatterns:
    """Stands in for the module `re` where the library searches."""

    @staticmethod
    def search(pattern, text):
        # additionalProperties joins the patterns with |, which stays one.
        return re.search(python_pattern(pattern), text, re.ASCII)


for module in (_keywords, _legacy_keywords, _utils): module.re = ECMAPatterns


def whole(checker, instance):
    if isinstance(instance, decimal.Decimal): return instance == instance.to_integral_value()
    return isinstance(instance, int) and not isinstance(instance, bool)


DRAFT4 = "http://json-schema.org/draft-04/schema"
EXTENDED = {}


def validator_for(schema):
    base = validators.validator_for(schema, default=Draft202012Validator)
    if base not in EXTENDED:
        types = base.TYPE_CHECKER
        # The library sees a whole float as an integer from draft-06 on; these are no floats.
        if not base.META_SCHEMA.get("id", "").startswith(DRAFT4): types = types.redefine("integer", whole)
        EXTENDED[base] = validators.extend(base, type_checker=types)
    return EXTENDED[base](schema, format_checker=FORMATS)


def leaves(error):
    return [leaf for part in error.context for leaf in leaves(part)] if error.context else [error]


def known(error):
    for leaf in leaves(error):
        # Only draft 2019-09's code does: a schema there evaluates whatever other keywords left over.
        if (leaf.validator == "unevaluatedProperties" and isinstance(leaf.schema, dict)
                and "2019-09" in leaf.schema.get("$schema", "")
                and isinstance(leaf.schema.get("additionalProperties"), dict)):
            return "the library takes the keywords of additionalProperties for names of properties"
        # Beside other numbers; by value, as from draft 6. Draft 4 takes no number with a point for a whole one.
        if (error.validator in ("oneOf", "anyOf") and leaf.validator == "type" and leaf.validator_value == "integer"
                and isinstance(leaf.instance, decimal.Decimal) and leaf.instance == int(leaf.instance)):
            return "a whole number may have a fraction of zeros"
        for why, keyword, test in KNOWN:
            if leaf.validator == keyword and isinstance(leaf.instance, str) and test(leaf.instance, leaf.validator_value):
                return why
    return None


def read(text): return json.loads(text, parse_float=decimal.Decimal)


def check(lines):
    counts, bad, latest = collections.Counter(), [], (None, None)
    for line in lines:
        case = read(line)
        if case["id"] != latest[0]: latest = (case["id"], validator_for(case["schema"]))
        try:
            error = next(latest[1].iter_errors(read(case["instance"])), None)
        except Exception as problem:  # the library cannot judge: references elsewhere, odd patterns
            counts[f"not judged, {type(problem).__name__}"] += 1
            print(f"check-walks: not judged: {case['id']}: {str(problem)[:160]}")
            continue
        if error is None: counts["valid"] += 1
        elif known(error): counts[f"known disagreement, {known(error)}"] += 1
        else:
            counts["invalid"] += 1
            bad.append(f"{case['id']}: {case['instance'][:300]}\n    {error.json_path}: {error.message[:300]}")
    return counts, bad


def self_test():
    """Values that must and must not pass, so that a validator that accepts everything is noticed."""
    cases = [
        ('{"pattern":"^\\\\d+$"}', '"12"', True), ('{"pattern":"^\\\\d+$"}', '"1\u0662"', False),
        ('{"pattern":"^a$"}', '"a\\n"', False), ('{"pattern":"^[^\\\\d]$"}', '"\u0662"', True),
        ('{"pattern":"^\\\\w$"}', '"\u00e9"', False), ('{"pattern":"^[]$"}', '""', False),
        ('{"type":"integer"}', '2.0', True), ('{"type":"integer"}', '2.5', False),
        ('{"multipleOf":0.1}', '0.3', True), ('{"multipleOf":0.1}', '0.35', False),
        ('{"format":"date"}', '"2026-02-29"', False), ('{"format":"time"}', '"10:00:00Z"', True),
        ('{"$schema":"http://json-schema.org/draft-07/schema#","format":"uuid"}', '"x"', False),
        ('{"$schema":"http://json-schema.org/draft-04/schema#","minimum":1,"exclusiveMinimum":true}', '1', False),
        ('{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer"}', '1.0', False),
        ('{"additionalProperties":false,"patternProperties":{"^\\\\d$":{}}}', '{"1":0}', True),
        ('{"additionalProperties":false,"patternProperties":{"^\\\\d$":{}}}', '{"\u0662":0}', False),
        ('{"format":"date"}', '"0000-01-01"', True),
    ]
    failed = 0
    for number, (schema, instance, expected) in enumerate(cases):
        counts, _ = check([f'{{"id":"{number}","schema":{schema},"instance":{json.dumps(instance)}}}'])
        if (counts["invalid"] == 0) != expected or any(name.startswith("not judged") for name in counts):
            failed += 1
            print(f"check-walks: self-test: {schema} {instance}: {dict(counts)}")
    print(f"check-walks: self-test: {len(cases) - failed} of {len(cases)} as expected")
    return 1 if failed else 0


def main():
    warnings.simplefilter("ignore")
    if sys.argv[1:] == ["--self-test"]: return self_test()
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    with open(sys.argv[1], encoding="utf-8") as lines: counts, bad = check(lines)
    for line in bad: print(f"check-walks: invalid: {line}")
    print("check-walks: " + ", ".join(f"{number} {name}" for name, number in counts.most_common()))
    return 1 if bad else 0


sys.exit(main())
