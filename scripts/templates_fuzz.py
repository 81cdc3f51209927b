"""Random templates, rendered by jinja2 and by Fovea; scripts/templates-oracle --fuzz runs it.

Case N of a seed is always the same. Texts are compared byte for byte; where jinja2 raises, Fovea must refuse
too, whatever its words. Templates that differ are cut down to the pieces that matter. Exit code 1 when a case differs.
"""
import argparse
import collections
import random
import sys
import warnings

from jinja2 import compiler, nodes

from templates_oracle import NOW, Reference, describe, differs, make_environment, run_program, write_cases

# Texts that filters mark as safe escape what is added to them. Off: no such text meets another.
MARKUP = True
BATCH = 2000
# How Fovea's refusals of what it does not have begin; they are named at the end.
UNSUPPORTED = "uses what Fovea does not support"
MOST_SHOWN = 10

WORDS = ["", "a", "b", "abc", "Hello World", "hello world", "foo bar  baz", "x,y,,z", " pad ", "\n line\nend\n", "A-b c_d (e)",
         "12", "-7", "3.5", "0x1f", "1e2", "007", "ÄÖß", "éclair", "日本語", "😀 smile", "e\u0301x", "a\u00a0b", "\u3000wide\u2028", "ЖЗ и",
         "<b>bold</b> & 'q' \"d\"", "one\r\ntwo\rthree", "tab\there", "aXbXc", "aaa", "UPPER", "lower", "Title Case", "²", "٣", "½",
         "%s and %d", "{} {0}", "path/to?x=1&y=2", "a b c d e f g h i j k l m n", "\\back\\", "ab\x0bcd\x1cef", "ΟΔΟΣ", "ﬁn", "}}", "{%"]
NAMES = ["ann", "Bob", "bob", "Cid", "dora", "", "É", "zed"]
KEYS = ["a", "b", "name", "Key", "x y", "é"]
GAPS = ["", "", "", " ", "\n", "\n", "  ", "\n  ", " \n", "\t", "text", "\ntext\n", "  text  ", "\r\n", "\n\n", "é\n\u0301", "\u00a0", "}", "{ ", "% ", "# "]


class Maker:
    """Writes one case. Methods named by a type give an expression of that type, at most so deep."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = {"text": ["s", "t"], "whole": ["n", "m"], "real": ["f"], "truth": ["b"], "wholes": ["xs"],
                          "texts": ["ws"], "records": ["os"], "table": ["d"], "any": ["z", "u", "mixed", "e"]}
        self.macros = []
        self.fresh = 0
        self.in_loop = False

    # Chance

    def chance(self, share): return self.random.random() < share

    def pick(self, choices): return self.random.choice(choices)

    def some(self, least, most, make): return [make() for _ in range(self.random.randint(least, most))]

    def weighted(self, choices):
        """Calls one of (weight, function)."""
        return self.random.choices([make for _, make in choices], [weight for weight, _ in choices])[0]()

    def new_name(self):
        self.fresh += 1
        return f"v{self.fresh}"

    # Context

    def context(self):
        rng = self.random
        record = lambda: {"name": self.pick(NAMES), "age": rng.randint(-2, 9), "ok": self.chance(0.5),
                          **({"tags": self.some(0, 3, lambda: self.pick(WORDS[:12]))} if self.chance(0.8) else {}),
                          **({"in": {"deep": self.pick(NAMES)}} if self.chance(0.8) else {})}
        tree = lambda depth: [{"name": self.pick(NAMES), "kids": tree(depth - 1) if depth and self.chance(0.7) else []}
                              for _ in range(rng.randint(1, 2))]
        return {"s": self.pick(WORDS), "t": self.pick(WORDS), "n": rng.randint(-5, 12), "m": rng.randint(1, 9),
                "f": rng.randint(-20, 40) / 4, "b": self.chance(0.5), "z": None, "e": self.pick([[], {}, "", 0, 0.0, False]),
                "xs": self.some(0, 6, lambda: rng.randint(-3, 9)), "ws": self.some(0, 5, lambda: self.pick(WORDS)),
                "os": self.some(0, 4, record), "tree": tree(2),
                "d": {key: self.pick([rng.randint(-3, 9), self.pick(WORDS)]) for key in rng.sample(KEYS, rng.randint(0, 5))},
                "mixed": self.some(0, 5, lambda: self.pick([1, "1", True, None, 1.0, 2.5, "a", [1], {"k": "v"}, 0]))}

    # Literals

    def quote(self, text):
        mark = self.pick("'\"")
        result = ""
        for letter in text:
            if letter in ("\\", mark): result += "\\" + letter
            elif letter == "\n" and self.chance(0.8): result += "\\n"
            elif letter == "\t" and self.chance(0.5): result += "\\t"
            elif letter == "\r" or ord(letter) < 32 and letter not in "\n\t": result += f"\\x{ord(letter):02x}"
            elif ord(letter) > 127 and self.chance(0.3):
                result += f"\\u{ord(letter):04x}" if ord(letter) < 65536 else f"\\U{ord(letter):08x}"
            elif letter == "A" and self.chance(0.3): result += self.pick(["\\x41", "\\101", "\\u0041"])
            else: result += letter
        if self.chance(0.02): result += self.pick(["\\d", "\\ ", "\\/", "\\\n", "\\0", "\\v", "\\a"])
        return mark + result + mark

    def text_literal(self):
        literal = self.quote(self.pick(WORDS))
        return literal + " " + self.quote(self.pick(WORDS)) if self.chance(0.03) else literal

    def whole_literal(self):
        number = self.random.randint(0, 12)
        return self.pick([str(number)] * 12 + ["0x1f", "0b101", "0o17", "1_0", f"-{number}", "100"])

    def real_literal(self): return self.pick(["0.5", "1.25", "2.0", "2.5", "3.75", "1e2", "2.5e-1", "0.0", "1_0.5", "1.5E1", "-0.5"])

    # Expressions by type

    def variable(self, kind): return self.pick(self.variables[kind])

    def wrong(self, kind):
        """Now and then another type than asked for."""
        if not self.chance(0.012): return kind
        return self.pick(["text", "whole", "real", "truth", "wholes", "texts", "table", "any"])

    def make(self, kind, depth):
        kind = self.wrong(kind)
        if depth <= 0 or self.chance(0.15):
            if kind in ("text", "whole", "real") and self.chance(0.5): return getattr(self, kind + "_literal")()
            return self.variable(kind)
        if self.chance(0.04): return self.choice(kind, depth)
        return getattr(self, kind)(depth - 1)

    def choice(self, kind, depth):
        parts = f"{self.make(kind, depth - 1)} if {self.make('truth', depth - 1)}"
        return f"({parts} else {self.make(kind, depth - 1)})" if self.chance(0.9) else f"({parts})"

    def inside(self, expression):
        """An expression that a dot or a filter may follow."""
        simple = expression.isidentifier() or expression[0] in "'\"([" and self.is_closed(expression)
        return expression if simple else f"({expression})"

    @staticmethod
    def is_closed(expression):
        return expression[0] in "'\"" and expression.count(expression[0]) == 2 and expression[-1] == expression[0]

    def arguments(self, *parts): return ", ".join(parts) + (", " if parts and self.chance(0.02) else "")

    def bar(self): return self.pick(["|", "|", " | ", "| "])

    def text(self, depth):
        made = lambda kind: self.make(kind, depth)
        word, small = self.text_literal, lambda: str(self.random.randint(0, 6))
        subject = lambda: self.inside(made("text"))
        method = lambda name, *parts: f"{subject()}.{name}({self.arguments(*parts)})"
        apply = lambda name, *parts: f"{subject()}{self.bar()}{name}" + (f"({self.arguments(*parts)})" if parts or self.chance(0.05) else "")
        chars = lambda: self.quote(self.pick(["a", " ", "\n", "ab", "xyz", "o", " \n\t", "é", "<>"]))
        return self.weighted([
            (8, lambda: f"{made('text')} ~ {made(self.pick(['text', 'whole', 'real', 'truth', 'any', 'wholes', 'texts', 'table']))}"),
            (6, lambda: f"{subject()} + {subject()}"),
            (2, lambda: f"{subject()} * {small()}"),
            (4, lambda: method(self.pick(["upper", "lower", "title", "capitalize", "strip", "lstrip", "rstrip", "swapcase", "casefold"]))),
            (3, lambda: method(self.pick(["strip", "lstrip", "rstrip"]), chars())),
            (3, lambda: method("replace", self.quote(self.pick(["a", "b", "", "lo", "X", " "])), word(), *([small()] if self.chance(0.4) else []))),
            (2, lambda: method(self.pick(["center", "ljust", "rjust"]), str(self.random.randint(0, 20)), *([self.quote(self.pick(["*", "é"]))] if self.chance(0.5) else []))),
            (1, lambda: method("zfill", str(self.random.randint(0, 8)))),
            (2, lambda: method(self.pick(["removeprefix", "removesuffix"]), self.quote(self.pick(["a", "", "Hel", " ", "c", "z"])))),
            (2, lambda: f"{self.quote(self.pick([', ', '', '-']))}.join({made('texts')})"),
            (3, lambda: f"{method('split', self.quote(self.pick([',', 'a', ' ', 'X'])))}[{self.pick(['0', '-1', '0', '1'])}]"),
            (2, lambda: f"{method(self.pick(['partition', 'rpartition']), self.quote(self.pick([',', 'o', ' '])))}[{self.pick('012')}]"),
            (2, lambda: f"{self.quote(self.pick(['{} and {}', '{0}{1}{0}', '{a} {b}', '{{}} {}', '{0!r}', '{:>5}|{:<4}']))}.format({made('text')}, {made('text')}, a={made('whole')}, b={made('text')})"),
            (4, lambda: f"{subject()}[{self.slice()}]"),
            (3, lambda: f"{subject()}[{self.pick(['0', '1', '-1', '2', 'n'])}]"),
            (5, lambda: apply(self.pick(["upper", "lower", "title", "capitalize", "trim", "string", "string|reverse", "striptags"]))),
            (2, lambda: apply("trim", chars())),
            (2, lambda: apply("replace", self.quote(self.pick(["a", "", "l", " "])), word(), *([small()] if self.chance(0.3) else []))),
            (3, lambda: apply(self.pick(["default", "d"]), word(), *([self.pick(["true", "false", "boolean=true"])] if self.chance(0.5) else []))),
            (3, lambda: f"{self.inside(made('texts'))}{self.bar()}join" + self.pick(["", "()", "(', ')", "('')", "(d=' ')"])),
            (2, lambda: f"{self.inside(made(self.pick(['wholes', 'any', 'table', 'texts'])))}{self.bar()}join({word()})"),
            (2, lambda: f"{self.inside(made('records'))}|join({word()}, attribute={self.pick(['name', 'age', 'in.deep', 'none']) !r})"),
            (5, lambda: f"{self.inside(made(self.pick(['text', 'whole', 'real', 'truth', 'any', 'wholes', 'texts', 'records', 'table'])))}{self.bar()}tojson" + self.pick(
                ["", "", "()", "(indent=2)", "(indent=4)", "(ensure_ascii=true)", "(sort_keys=true)", "(separators=(',', ':'))", "(true)", "(indent=0)",
                 "(ensure_ascii=false, indent=1, separators=(',', ': '), sort_keys=true)", "(indent='\\t')", "(indent=none)"])),
            (2, lambda: apply("indent", *self.pick([(), ("2",), ("4", "true"), ("2", "first=true"), ("3", "blank=true"), ("'> '", "true", "true"), ("width=1",)]))),
            (2, lambda: apply("truncate", str(self.random.randint(3, 12)), *self.pick([(), ("true",), ("false", "'…'"), ("true", "''", "0"), ("end='..'",), ("leeway=0",)]))),
            (1, lambda: apply("center", str(self.random.randint(0, 20)))),
            (2, lambda: f"{self.quote(self.pick(['%s-%s', '%d%%%s', '%5s|%-4s', '%05d %s', '%+d %r', '%x %s']))}|format({made('whole')}, {made('text')})"),
            (2, lambda: f"{self.quote(self.pick(['%s', '%r', '[%3s]', '100%% %s']))} % {subject()}"),
            (2, lambda: f"{self.quote(self.pick(['%d %s', '%.2f/%s', '%s %s', '%(a)s']))} % ({made('whole')}, {made('text')})"),
            (1, lambda: f"'%(a)s %(b)d' % {{'a': {made('text')}, 'b': {made('whole')}}}"),
            (1, lambda: apply("urlencode")),
            (1, lambda: f"{{'a': {made('text')}, 'b': none, 'c': {made('whole')}}}|{self.pick(['urlencode', 'xmlattr', 'xmlattr(false)', 'xmlattr'])}"),
            (3, lambda: f"({apply(self.pick(['e', 'escape', 'safe']))}) ~ ''"),
            (1, lambda: f"({apply(self.pick(['e', 'escape', 'safe', 'e|upper', 'safe|trim', 'e|e', 'safe|e']))})" + self.pick(
                [f" + {subject()}", f".replace('a', {word()})", "", "|length|string", f" ~ {subject()}", "[1:]", f"|replace('a', {word()})"])
             if MARKUP else made("text")),
            (3, lambda: f"({self.inside(made('records'))}{self.pick(['[0]', '|first', '|last', '[-1]'])}).{self.pick(['name', 'name', 'missing'])}"),
            (3, lambda: f"{self.inside(made('texts'))}{self.pick(['[0]', '|first', '|last', '[-1]', '.0', '|max', '|min', '|sort|first'])}"),
            (2, lambda: f"{self.inside(made('table'))}.get({self.quote(self.pick(KEYS))}, {made('text')})"),
            (2, lambda: f"{self.inside(made('table'))}{self.pick(['.a', '.b', chr(91) + self.quote(self.pick(KEYS)) + ']', '.name', '.none_here'])}"),
            (2, lambda: f"{self.inside(made(self.pick(['whole', 'real', 'truth', 'any', 'wholes', 'table'])))}|string"),
            (2, lambda: self.macro_call(depth) if self.macros else made("text")),
            (1, lambda: f"strftime_now({self.quote(self.pick(['%Y-%m-%d', '%d %b %Y', '%H:%M:%S', '%A, %B %d, %Y', '%j %y %%', '%I:%M %p', '%-d %B']))})"),
        ])

    def slice(self):
        part = lambda: self.pick(["", "", "0", "1", "2", "-1", "-2", "5", "n", "100", "-100", "none"])
        return part() + ":" + part() + (":" + self.pick(["", "1", "2", "-1", "-2", "3", "none"]) if self.chance(0.4) else "")

    def whole(self, depth):
        made = lambda kind: self.make(kind, depth)
        part = lambda: made("whole") if self.chance(0.4) else self.inside(made("whole"))
        return self.weighted([
            (10, lambda: f"{part()} {self.pick(['+', '-', '*'])} {part()}"),
            (3, lambda: f"{part()} {self.pick(['//', '%'])} {self.pick(['2', '3', '-2', '5', 'm', '(-3)', '7'])}"),
            (1, lambda: f"{self.whole_literal()} ** {self.pick(['2', '3', '0', '2 ** 2'])}"),
            (2, lambda: f"{self.pick(['-', '+', '- ', '--'])}{self.inside(made('whole'))}"),
            (2, lambda: f"-{self.whole_literal()}|abs"),
            (5, lambda: f"{self.inside(made(self.pick(['text', 'wholes', 'texts', 'records', 'table'])))}{self.bar()}{self.pick(['length', 'count'])}"),
            (2, lambda: f"{self.inside(made('text'))}.{self.pick(['find', 'rfind', 'count'])}({self.quote(self.pick(['a', 'o', '', 'lo', ' ']))})"),
            (1, lambda: f"{self.inside(made('text'))}.index({self.quote(self.pick(['a', '']))})"),
            (1, lambda: f"{self.inside(made(self.pick(['wholes', 'texts'])))}.{self.pick(['count', 'count', 'count', 'index'])}({self.pick(['1', '2', repr('a')])})"),
            (3, lambda: f"{self.inside(made('text'))}{self.bar()}int" + self.pick(["", "(7)", "(default=-1)", "(0, 16)", "(base=2)", "(3, base=8)"])),
            (2, lambda: f"{self.inside(made('real'))}|int"),
            (2, lambda: f"{self.inside(made('wholes'))}{self.bar()}{self.pick(['sum', 'max', 'min', 'first', 'last', 'sum(start=3)', 'first|default(0)'])}"),
            (2, lambda: f"{self.inside(made('records'))}|{self.pick(['sum(attribute=%r)' % 'age', 'sum(%r, 10)' % 'age', 'map(attribute=%r)|sum' % 'age'])}"),
            (1, lambda: f"({self.inside(made('records'))}|{self.pick(['max', 'min'])}(attribute='age')).age"),
            (2, lambda: f"{self.inside(made('wholes'))}[{self.pick(['0', '-1', '1', 'n'])}]{self.pick(['', '|default(4)', '|int'])}"),
            (1, lambda: f"{self.inside(made('text'))}|wordcount"),
            (1, lambda: f"{self.inside(made('whole'))}|{self.pick(['abs', 'round', 'int', 'round(1)', 'default(3)'])}"),
            (1, lambda: self.pick(["loop.index", "loop.index0", "loop.revindex", "loop.revindex0", "loop.length", "loop.depth", "loop.depth0"])
             if self.in_loop else made("whole")),
        ])

    def real(self, depth):
        made = lambda kind: self.make(kind, depth)
        return self.weighted([
            (4, lambda: f"{self.inside(made('real'))} {self.pick(['+', '-', '*'])} {self.inside(made(self.pick(['real', 'whole'])))}"),
            (4, lambda: f"{self.inside(made(self.pick(['whole', 'real'])))} / {self.pick(['2', '4', '8', '2.0', '-2'])}"),
            (2, lambda: f"{self.inside(made('real'))} {self.pick(['//', '%'])} {self.pick(['2', '0.5', '-2', '-0.5', '3'])}"),
            (1, lambda: self.pick(["2 ** -1", "4 ** 0.5", "2.0 ** 3", "1.5 ** 2"])),
            (3, lambda: f"{self.inside(made('real'))}|round" + self.pick(["", "(1)", "(2)", "(0, 'ceil')", "(0, 'floor')", "(1, 'floor')", "(method='ceil')", "(precision=1, method='common')"])),
            (2, lambda: f"{self.inside(made('text'))}|float{self.pick(['', '(1.5)', '(default=0.0)'])}"),
            (2, lambda: f"{self.inside(made('whole'))}|float"),
            (1, lambda: f"{self.inside(made('real'))}|abs"),
        ])

    def truth(self, depth):
        made = lambda kind: self.make(kind, depth)
        subject = lambda: self.inside(made(self.pick(["text", "whole", "real", "truth", "any", "wholes", "texts", "table", "records"])))
        same = self.pick(["text", "whole", "real", "wholes"])
        return self.weighted([
            (2, lambda: self.pick(["true", "false", "True", "False"])),
            (5, lambda: f"{self.inside(made('truth'))} {self.pick(['and', 'or'])} {self.inside(made('truth'))}"),
            (2, lambda: f"{made('truth')} {self.pick(['and', 'or'])} not {made('truth')}"),
            (2, lambda: f"not {made('truth')}"),
            (5, lambda: f"{self.inside(made(same))} {self.pick(['==', '!=', '<', '<=', '>', '>='])} {self.inside(made(same))}"),
            (2, lambda: f"{subject()} {self.pick(['==', '!='])} {subject()}"),
            (2, lambda: f"{self.inside(made('whole'))} {self.pick(['<', '<=', '=='])} {self.inside(made('whole'))} {self.pick(['<', '>=', '!='])} {self.inside(made('whole'))}"),
            (3, lambda: f"{self.text_literal()} {self.pick(['in', 'not in'])} {self.inside(made(self.pick(['text', 'texts', 'table', 'text'])))}"),
            (2, lambda: f"{self.inside(made('whole'))} {self.pick(['in', 'not in'])} {self.inside(made('wholes'))}"),
            (8, lambda: f"{subject()} {self.pick(['is', 'is', 'is not'])} " + self.pick(
                ["defined", "undefined", "none", "string", "number", "integer", "float", "boolean", "sequence", "mapping", "iterable",
                 "callable", "true", "false", "eq 1", "ne 'a'", "equalto(2)", "sameas true", "sameas(none)", "in [1, 'a', none]", "in(xs)", "escaped"])),
            (3, lambda: f"{self.inside(made('whole'))} {self.pick(['is', 'is not'])} " + self.pick(
                ["odd", "even", "divisibleby 3", "divisibleby(2)", "lt 3", "le(4)", "gt 2", "ge 1", "greaterthan(3)", "lessthan 2"])),
            (2, lambda: f"{self.inside(made('text'))} is {self.pick(['upper', 'lower', 'not upper', 'filter', 'test'])}"),
            (1, lambda: f"{self.pick(['upper', 'odd', 'tojson', 'nothing', 'd']) !r} is {self.pick(['filter', 'test'])}"),
            (2, lambda: f"{self.inside(made('text'))}.{self.pick(['isdigit', 'isalpha', 'isalnum', 'isspace', 'isupper', 'islower'])}()"),
            (2, lambda: f"{self.inside(made('text'))}.{self.pick(['startswith', 'endswith'])}({self.pick([self.quote(self.pick(['a', '', 'He', 'c', ' '])), '(%r, %r)' % ('a', 'z')])})"),
            (1, lambda: f"u is defined and u.x == {self.whole_literal()}"),
            (1, lambda: self.pick(["loop.first", "loop.last", "loop.changed(n)", "loop.previtem is defined", "loop.nextitem is not defined"])
             if self.in_loop else made("truth")),
        ])

    def wholes(self, depth):
        made = lambda kind: self.make(kind, depth)
        subject = lambda: self.inside(made("wholes"))
        listing = lambda parts: self.pick(["[{}]", "[{}]", "({},)", "[{},]"]).format(", ".join(parts)) if parts else self.pick(["[]", "()"])
        return self.weighted([
            (4, lambda: listing(self.some(0, 4, lambda: made("whole")))),
            (3, lambda: f"range({self.pick([self.whole_literal(), '1, ' + self.whole_literal(), '10, 0, -3', 'm', '0, 9, 2'])})|list"),
            (2, lambda: f"{subject()}[{self.slice()}]"),
            (2, lambda: f"[{made('whole')}] + [{made('whole')}]"),
            (1, lambda: f"{subject()} + xs"),
            (1, lambda: f"[{made('whole')}] * {self.random.randint(0, 3)}"),
            (3, lambda: f"{subject()}|{self.pick(['sort', 'sort(reverse=true)', 'sort(true)', 'reverse|list', 'unique|list', 'list'])}"),
            (4, lambda: f"{subject()}{self.bar()}" + self.pick(["select", "reject"]) + self.pick(
                ["('odd')", "('even')", "('gt', 2)", "('divisibleby', 3)", "()", "", "('in', [1, 2, 3])", "('eq', 1)", "('lt', m)", "('none')"]) + "|list"),
            (2, lambda: f"{self.inside(made('records'))}|map(attribute={self.pick(['age', 'age', 'missing']) !r}{self.pick(['', ', default=0'])})|list"),
            (2, lambda: f"{self.inside(made('texts'))}|map({self.pick(['length', 'int', 'int, 5', 'wordcount']).split(', ')[0] !r})|list"),
            (1, lambda: f"{subject()}|map('{self.pick(['abs', 'string', 'float', 'default'])}')|list"),
            (1, lambda: f"{subject()}|batch({self.random.randint(1, 3)}{self.pick(['', ', 0', ', fill_with=none'])})|map('{self.pick(['sum', 'list', 'length', 'first'])}')|list"),
            (1, lambda: f"{subject()}|slice({self.random.randint(1, 3)}{self.pick(['', ', 0'])})|map('list')|list"),
        ])

    def texts(self, depth):
        made = lambda kind: self.make(kind, depth)
        subject = lambda: self.inside(made("texts"))
        return self.weighted([
            (4, lambda: f"[{', '.join(self.some(0, 4, lambda: made('text')))}]"),
            (5, lambda: f"{self.inside(made('text'))}.{self.pick(['split', 'split', 'rsplit'])}({self.pick(['', '', repr(','), repr('a'), repr('X') + ', 1', 'none, 1', repr(' '), 'maxsplit=1', 'sep=' + repr(',')])})"),
            (2, lambda: f"{self.inside(made('text'))}.splitlines({self.pick(['', '', 'true', 'keepends=true'])})"),
            (2, lambda: f"{self.inside(made('text'))}|list"),
            (1, lambda: f"{self.inside(made('text'))}.partition({self.quote(self.pick([',', ' ']))})"),
            (3, lambda: f"{subject()}|{self.pick(['sort', 'sort(reverse=true)', 'sort(case_sensitive=true)', 'sort(reverse=true, case_sensitive=true)', 'reverse|list', 'unique|list', 'unique(true)|list', 'unique(case_sensitive=true)|list'])}"),
            (4, lambda: f"{subject()}{self.bar()}map({self.pick([repr(name) for name in ('upper', 'lower', 'trim', 'title', 'capitalize', 'string', 'reverse')] + ['%r, %r, %r' % ('replace', 'a', 'b'), '%r, %r, true' % ('default', 'x'), '%r, 3, true, %r, 0' % ('truncate', ''), '%r, 8' % 'center'])})|list"),
            (2, lambda: f"{subject()}|{self.pick(['select', 'reject'])}({self.pick(['', repr('string'), repr('upper'), repr('lower'), repr('in') + ', ' + repr('abc'), repr('equalto') + ', ' + repr('a')])})|list"),
            (2, lambda: f"{self.inside(made('records'))}|map(attribute={self.pick(['name', 'in.deep', 'tags.0', 'missing']) !r}, default='?')|list"),
            (2, lambda: f"{self.inside(made('table'))}|{self.pick(['list', 'sort'])}"),
            (1, lambda: f"{self.inside(made('table'))}.keys()|list"),
            (2, lambda: f"{subject()}[{self.slice()}]"),
            (1, lambda: f"{subject()} + ws"),
        ])

    def records(self, depth):
        made = lambda kind: self.make(kind, depth)
        subject = lambda: self.inside(made("records"))
        return self.weighted([
            (2, lambda: f"[{', '.join(self.some(0, 3, lambda: self.record(depth)))}]"),
            (4, lambda: f"{subject()}|{self.pick(['selectattr', 'rejectattr'])}({self.pick([repr('ok'), repr('tags'), '%r, %r' % ('tags', 'defined'), '%r, %r, 3' % ('age', 'gt'), '%r, %r, %r' % ('name', 'equalto', 'bob'), '%r, %r' % ('age', 'odd'), '%r, %r, %r' % ('in.deep', 'eq', 'ann'), '%r, %r, %r' % ('name', 'in', ['ann', 'Bob'])])})|list"),
            (4, lambda: f"{subject()}|sort({self.pick(['attribute=%r' % 'name', 'attribute=%r' % 'age', 'true, false, %r' % 'age', 'attribute=%r, reverse=true' % 'name', 'attribute=%r, case_sensitive=true' % 'name', 'attribute=%r' % 'name,age'])})"),
            (2, lambda: f"{subject()}|unique(attribute={self.pick(['name', 'age']) !r})|list"),
            (2, lambda: f"{subject()}[{self.slice()}]"),
            (1, lambda: f"{subject()}|reverse|list"),
        ])

    def record(self, depth):
        return f"{{'name': {self.make('text', depth - 1)}, \"age\": {self.make('whole', depth - 1)}, 'ok': {self.make('truth', depth - 1)}}}"

    def table(self, depth):
        made = lambda kind: self.make(kind, depth)
        key = lambda: self.quote(self.pick(KEYS)) if self.chance(0.93) else self.pick(["1", "2", "none", "true", "1.0", "1.5"])
        return self.weighted([
            (5, lambda: "{" + ", ".join(self.some(0, 4, lambda: f"{key()}: {made(self.pick(['text', 'whole', 'any', 'truth', 'real', 'texts']))}")) + "}"),
            (2, lambda: f"dict({', '.join(f'{name}={made(kind)}' for name, kind in (('a', 'whole'), ('b', 'text'), ('c', 'any'))[:self.random.randint(0, 3)])})"),
            (1, lambda: f"dict({self.inside(made('table'))}, z={made('whole')})"),
            (1, lambda: f"dict([('k', {made('text')}), ('l', {made('whole')})])"),
        ])

    def any(self, depth):
        made = lambda kind: self.make(kind, depth)
        return self.weighted([
            (2, lambda: self.pick(["none", "None", "u", "z", "mixed", "u.x|default('no')", "d.missing", "xs[50]"])),
            (3, lambda: made(self.pick(["text", "whole", "real", "truth", "wholes", "texts", "table", "records"]))),
            (1, lambda: f"({made('any')}, {made('any')})"),
            (2, lambda: f"{self.inside(made('table'))}|dictsort{self.pick(['', '(true)', '(reverse=true)', '(false, %r)' % 'key', ''])}"),
            (1, lambda: f"{{'k': 3, 'L': 1, 'm': 2}}|dictsort({self.pick(['by=%r' % 'value', 'by=%r, reverse=true' % 'value', 'true'])})"),
            (1, lambda: f"{self.inside(made('table'))}.{self.pick(['items', 'values'])}()|list"),
            (1, lambda: f"{self.inside(made('table'))}|items|list"),
            (1, lambda: f"{self.inside(made('records'))}|groupby({self.pick(['%r' % 'name', '%r' % 'age', '%r, case_sensitive=true' % 'name', '%r, default=%r' % ('missing', 'x'), 'attribute=%r' % 'ok'])})"),
            (1, lambda: f"{self.inside(made(self.pick(['wholes', 'texts'])))}|{self.pick(['batch', 'slice'])}({self.pick(['1', '2', '3'])}{self.pick(['', ', 0', ', ' + repr('x')])})|list"),
            (1, lambda: f"{self.inside(made('any'))} {self.pick(['and', 'or'])} {self.inside(made('any'))}"),
            (1, lambda: f"mixed|{self.pick(['first', 'last', 'unique|list', 'select|list', 'map(%r)|list' % 'string', 'select(%r)|list' % 'number', 'reject(%r)|list' % 'string', 'list', 'length', 'tojson', 'select(%r)|list' % 'mapping'])}"),
        ])

    def macro_call(self, depth):
        name, count, open_ended = self.pick(self.macros)
        parts = [self.make(self.pick(["text", "whole"]), depth - 1) for _ in range(self.random.randint(0, count))]
        if open_ended and self.chance(0.6): parts = [self.make("whole", depth - 1) for _ in range(count + self.random.randint(0, 2))]
        if parts and len(parts) <= count and self.chance(0.4): parts[-1] = f"p{len(parts) - 1}={parts[-1]}"
        if open_ended and self.chance(0.4): parts.append(f"extra={self.make('text', depth - 1)}")
        if self.chance(0.01): parts.append("nonsense=1")
        return f"{name}({', '.join(parts)})"

    # Statements

    def tag(self, content):
        start, end = self.pick(["{%", "{%", "{%-", "{%-", "{%+"]), self.pick(["%}", "%}", "-%}", "-%}", "+%}"])
        return start + self.pick([" ", " ", "", "\n "]) + content + self.pick([" ", " ", "\n"]) + end

    def gap(self): return self.pick(GAPS)

    def output(self, expression):
        # A sign right behind the braces would belong to them.
        start, end = self.pick(["{{", "{{", "{{-"]), self.pick(["}}", "}}", "-}}"])
        return start + " " + expression + " " + end

    def body(self, depth, least=1, most=3):
        keep = {kind: list(names) for kind, names in self.variables.items()}
        result = self.gap() + "".join(self.statement(depth) + self.gap() for _ in range(self.random.randint(least, most)))
        if self.chance(0.9): self.variables = keep
        return result

    def within(self, kind, name, make):
        """What is made while a name is known."""
        self.variables[kind].append(name)
        result = make()
        if name in self.variables[kind]: self.variables[kind].remove(name)
        return result

    def statement(self, depth):
        kinds = ["text", "text", "whole", "real", "truth", "any", "wholes", "texts", "records", "table", "any"]
        simple = [
            (30, lambda: self.output(self.make(self.pick(kinds), self.random.randint(1, 3)))),
            (5, self.assign), (2, self.comment), (1, self.namespace), (1, self.cycling),
            (1, lambda: self.tag("raw").replace("+%}", "%}") + self.pick(["{{ x }}", "{% if %}\n", " {# c #} ", "\n", "raw"]) + self.tag("endraw")),
        ]
        if depth <= 0: return self.weighted(simple)
        return self.weighted(simple + [
            (8, lambda: self.conditional(depth - 1)), (10, lambda: self.loop(depth - 1)), (2, lambda: self.recursion()),
            (4, lambda: self.macro(depth - 1)), (3, lambda: self.call_block(depth - 1)),
            (2, lambda: self.block_assign(depth - 1)), (2, lambda: self.filter_block(depth - 1)), (2, lambda: self.with_block(depth - 1)),
            (1, lambda: self.tag("generation") + self.body(depth - 1) + self.tag("endgeneration")),
        ])

    def comment(self):
        return self.pick(["{#", "{#-", "{#+"]) + self.pick([" c ", "\n", " {{ x }} {% if %} ", "", " - "]) + self.pick(["#}", "-#}", "+#}"])

    def assign(self):
        kind = self.pick(["text", "whole", "truth", "wholes", "texts", "records", "table", "any"])
        name = self.new_name() if self.chance(0.8) else self.variable(kind)
        if self.chance(0.1):
            other = self.new_name()
            made = self.tag(f"set {name}, {other} = {self.make(kind, 2)}, {self.make('whole', 1)}")
            self.variables["whole"].append(other)
        else: made = self.tag(f"set {name}{self.pick([' = ', '='])}{self.make(kind, 2)}")
        self.variables[kind].append(name)
        return made

    def namespace(self):
        name = self.new_name()
        lines = [self.tag(f"set {name} = namespace({self.pick(['a=1', 'a=n, b=s', 'd, a=2', 'a=0'])})"),
                 self.tag("for x in [1, 2, 3]"), self.tag(f"set {name}.a = {name}.a + x"), self.tag("endfor"), self.output(f"{name}.a")]
        if self.chance(0.3): lines.append(self.tag(f"set {name}.c") + self.gap() + self.tag("endset") + self.output(f"{name}.c"))
        return self.gap().join(lines)

    def cycling(self):
        name = self.new_name()
        if self.chance(0.5):
            uses = self.some(1, 4, lambda: self.pick([self.output(f"{name}.next()"), self.output(f"{name}.current"), self.tag(f"set _ = {name}.reset()")]))
            return self.tag(f"set {name} = cycler({self.pick(['1, 2', repr('a') + ', s, 3', '1, *xs'])})") + "".join(uses)
        return self.tag(f"set {name} = joiner({self.pick(['', repr('; ')])})") + "".join(self.some(1, 3, lambda: self.output(f"{name}()") + "x"))

    def conditional(self, depth):
        result = self.tag(f"if {self.make(self.pick(['truth', 'truth', 'truth', 'any', 'text', 'wholes']), 2)}") + self.body(depth)
        for _ in range(self.pick([0, 0, 1, 2])): result += self.tag(f"elif {self.make('truth', 2)}") + self.body(depth)
        if self.chance(0.5): result += self.tag("else") + self.body(depth)
        return result + self.tag("endif")

    def loop(self, depth):
        kind, element = self.pick([("wholes", "whole"), ("texts", "text"), ("records", "any"), ("text", "text"), ("table", "text")])
        name = self.new_name()
        if self.chance(0.25):
            other, kind, element = self.new_name(), "table", "text"
            head = f"for {name}, {other} in " + self.pick(
                [f"{self.inside(self.make('table', 1))}.items()", f"{self.inside(self.make('table', 1))}|items", "d|dictsort", "d.items()", "os|groupby('name')",
                 "[(1, 'a'), (2, 'b')]", "[[1, 2]]", "e.items()"])
        else: head = f"for {name} in {self.make(kind, 2)}"
        if self.chance(0.2): head += f" if {self.within(element, name, lambda: self.make('truth', 1))}"
        outer, self.in_loop = self.in_loop, True
        inside = self.within(element, name, lambda: self.loop_body(depth, name, kind))
        self.in_loop = outer
        if self.chance(0.2): inside += self.tag("else") + self.body(depth)
        return self.tag(head) + inside + self.tag("endfor")

    def loop_body(self, depth, name, kind):
        extra = self.weighted([
            (6, lambda: ""),
            (4, lambda: self.output(self.pick(["loop.index", "loop.index0", "loop.revindex", "loop.revindex0", "loop.first", "loop.last",
                                               "loop.length", "loop.depth", "loop.depth0", "loop.previtem|default('-')", "loop.nextitem|default('-')",
                                               "loop.cycle('odd', 'even')", f"loop.changed({name})", "loop.cycle(1, 2, 3)"]))),
            (2, lambda: self.tag(f"if {self.pick(['loop.index > 2', 'loop.last', 'not loop.first', self.make('truth', 1)])}")
             + self.tag(self.pick(["break", "continue"])) + self.tag("endif")),
            (2, lambda: self.output(f"{name}.name ~ {name}['age']") if kind == "records" else self.output(name)),
            (1, lambda: self.tag("if not loop.last") + ", " + self.tag("endif")),
        ])
        return extra + self.body(depth, most=2)

    def recursion(self):
        inside = "{{ loop.depth }}{{ o.name }}" + self.gap() + self.pick(["", "{{ loop.index }}", "{{ loop.depth0 }}", "{{ loop.last }}"])
        step = self.pick(["{% if o.kids %}[{{ loop(o.kids) }}]{% endif %}", "[{{- loop(o.kids) -}}]", "{{ loop(o.kids)|upper }}"])
        return self.tag("for o in tree " + self.pick(["", "if o.name "]) + "recursive") + inside + step + self.pick(["", "{% else %}none"]) + self.tag("endfor")

    def macro(self, depth):
        name, count = f"m{len(self.macros)}", self.random.randint(0, 3)
        parameters = [f"p{i}" for i in range(count)]
        keep, macros, in_loop = {kind: list(names) for kind, names in self.variables.items()}, self.macros, self.in_loop
        shown, first = [], self.random.randint(0, count)
        for i, parameter in enumerate(parameters): shown.append(f"{parameter}={self.make('text', 1)}" if i >= first else parameter)
        # An undefined argument is printed as nothing.
        self.variables["any"] += parameters
        self.macros, self.in_loop = [], False
        open_ended = self.chance(0.3)
        inside = "".join(self.output(parameter) for parameter in parameters) + self.body(depth)
        if open_ended: inside += self.output("varargs|list") + self.output(self.pick(["kwargs", "kwargs|length", "kwargs.extra"]))
        if self.chance(0.1): inside += self.output("caller is defined")
        self.variables, self.in_loop = keep, in_loop
        self.macros = [*macros, (name, count, open_ended)]
        return self.tag(f"macro {name}({', '.join(shown)})") + inside + self.tag("endmacro")

    def call_block(self, depth):
        name = self.new_name()
        if self.chance(0.5):
            made = self.tag(f"macro {name}(a, b=2)") + "<" + self.output("caller()") + self.output("a") + ">" + self.tag("endmacro")
            return made + self.tag(f"call {name}({self.make('text', 1)})") + self.body(depth) + self.tag("endcall")
        inner = self.new_name()
        made = self.tag(f"macro {name}(a)") + self.tag("for x in a") + self.output("caller(x, loop.index)") + self.tag("endfor") + self.tag("endmacro")
        body = self.within("whole", inner, lambda: self.body(depth))
        return made + self.tag(f"call({inner}, k={self.whole_literal()}) {name}({self.make('wholes', 1)})") + self.output(inner) + self.output("k") + body + self.tag("endcall")

    def block_assign(self, depth):
        name = self.new_name()
        made = self.tag(f"set {name}{self.pick(['', '', ' | upper', '|trim', '|replace(%r, %r)|title' % ('a', 'bc')])}") + self.body(depth) + self.tag("endset")
        self.variables["text"].append(name)
        return made + (self.output(name) if self.chance(0.5) else "")

    def filter_block(self, depth):
        return self.tag("filter " + self.pick(["upper", "trim", "indent(2)", "replace('a', 'b')", "lower|title", "length", "tojson", "e"])) + self.body(depth) + self.tag("endfilter")

    def with_block(self, depth):
        name = self.new_name()
        head = self.pick([f"with {name} = {self.make('text', 1)}", f"with {name} = s, n = {self.whole_literal()}", f"with {name}={self.make('text', 1)}, t = {name}"])
        return self.tag(head) + self.within("text", name, lambda: self.body(depth)) + self.output(name) + self.tag("endwith")

    def pieces(self):
        result = []
        for _ in range(self.pick([1, 1, 2, 2, 3, 4])):
            result += [self.gap(), self.statement(self.pick([0, 1, 1, 2]))]
        return [piece for piece in [*result, self.gap()] if piece]


def make_case(seed, index):
    maker = Maker(f"{seed}/{index}")
    context = maker.context()
    pieces = maker.pieces()
    return {"template": "".join(pieces), "context": context, "now": NOW, "name": f"seed {seed}, case {index}", "pieces": pieces}


def reduce(program, case):
    """The same case with as few pieces and names as still differ."""
    while True:
        smaller = []
        for i in range(len(case["pieces"])):
            pieces = case["pieces"][:i] + case["pieces"][i + 1:]
            smaller.append({**case, "pieces": pieces, "template": "".join(pieces)})
        for name in case["context"]:
            smaller.append({**case, "context": {key: value for key, value in case["context"].items() if key != name}})
        answers = run_program(program, smaller)
        found = next(((one, reference, answer) for one, answer in zip(smaller, answers)
                      if not is_accident(reference := Reference()(one)) and differs(reference, answer)
                      and not is_odd(one) and not depends_on_optimizer(one, reference)), None)
        if found is None: break
        case = found[0]
    return case, Reference()(case), run_program(program, [case])[0]


class PlainGenerator(compiler.CodeGenerator):
    """Works nothing out beforehand: what fails when a template runs may not fail then, or the other way round."""

    def _output_child_to_const(self, node, frame, finalize): raise nodes.Impossible()


UNOPTIMIZED = make_environment(optimized=False)
UNOPTIMIZED.code_generator_class = PlainGenerator


def depends_on_optimizer(case, wanted):
    """Whether jinja2 gives something else when it does not work out constants beforehand."""
    plain = Reference(UNOPTIMIZED)(case)
    return ("error" in plain) != ("error" in wanted) or plain.get("text") != wanted.get("text")


def is_odd(case):
    """Whether a date's format has a NUL, where some versions of Python end it."""
    return "strftime_now" in case["template"] and "\\0" in case["template"]


def is_accident(wanted):
    """Whether jinja2 shows an address, or its own code fails: nothing to compare with."""
    if "error" in wanted: return wanted["error"].startswith(("AssertionError", "RecursionError", "MemoryError"))
    return " at 0x" in wanted["text"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=20000)
    parser.add_argument("seed", nargs="?", type=int, default=1)
    parser.add_argument("--program", help="fovea-templates")
    parser.add_argument("--keep", metavar="FOLDER", help="where cases that differ are written, as JSON lines")
    parser.add_argument("--verbose", action="store_true", help="counts by the reason that jinja2 gives")
    parser.add_argument("--reference-only", action="store_true", help="render with jinja2 alone")
    options = parser.parse_args()
    # Python warns of odd constants, as in 1[0].
    warnings.simplefilter("ignore")
    if not options.program and not options.reference_only: parser.error("--program is missing")
    reference, reasons, rendered, left_out, wrong, shown = Reference(), collections.Counter(), 0, 0, [], 0
    unsupported = collections.Counter()
    for start in range(0, options.count, BATCH):
        cases = [make_case(options.seed, index) for index in range(start, min(start + BATCH, options.count))]
        expected = [reference(case) for case in cases]
        kept = [(case, wanted) for case, wanted in zip(cases, expected) if not is_accident(wanted)]
        left_out += len(cases) - len(kept)
        cases, expected = [case for case, _ in kept], [wanted for _, wanted in kept]
        for wanted in expected:
            if "error" in wanted: reasons[wanted["error"].split("\n")[0][:90]] += 1
            else: rendered += 1
        if options.reference_only: continue
        for case, wanted, answer in zip(cases, expected, run_program(options.program, cases), strict=True):
            if not differs(wanted, answer): continue
            if UNSUPPORTED in answer.get("error", ""):
                unsupported[answer["error"].split(": ", 1)[1]] += 1
                continue
            if is_odd(case) or depends_on_optimizer(case, wanted):
                left_out += 1
                continue
            wrong.append((case, wanted, answer))
            if shown >= MOST_SHOWN or answer.get("failure") == "not run": continue
            shown += 1
            least, wanted, answer = (case, wanted, answer) if "failure" in answer else reduce(options.program, case)
            print(f"fuzz: {case['name']}: {least['template']!r}\n    context: {ascii(least['context'])}\n"
                  f"{describe(wanted, answer)}", flush=True)
    if wrong and options.keep: write_cases(options.keep, f"fuzz-{options.seed}.jsonl", wrong)
    if options.verbose:
        for reason, number in reasons.most_common(40): print(f"    {number} {reason}")
    print(f"fuzz: with jinja2 {rendered} rendered, {sum(reasons.values())} raised, {left_out} left out")
    if options.reference_only: return 0
    for name, number in unsupported.most_common(): print(f"fuzz: refused by name: {number} {name}")
    print(f"fuzz: cases={options.count - left_out} unsupported={sum(unsupported.values())} different={len(wrong)}")
    return 1 if wrong else 0


if __name__ == "__main__": sys.exit(main())
