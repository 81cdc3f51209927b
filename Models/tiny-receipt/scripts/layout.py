"""The text of a receipt, line by line, its truth as JSON, and prompts that ask for it."""
from words import ADJECTIVES, Words, training_pseudo_word

CHARS = " ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.,-:/&'#*$%+()@x="
"""Every character that can be printed."""

KEYS = ["vendor", "date", "items", "total"]

GENERIC_PROMPTS = [
    "Extract the receipt as JSON.",
    "Read this receipt.",
    "Return the receipt as JSON.",
    "Extract vendor, date, items and total.",
    "Read the receipt and return JSON.",
    "Extract all fields.",
]
"""Prompts that ask for all keys; the first is the default."""

WORDS_ONLY, TINY, MEDIUM, FULL = -1, 0, 1, 2
"""How hard a receipt is: a few words, then ever more kinds of lines."""

COLUMNS = {TINY: (11, 13), MEDIUM: (15, 17), FULL: (16, 19)}
MAX_COLUMNS = COLUMNS[FULL][1]
MAX_ITEMS = 4
MAX_LINES = 14 + MAX_ITEMS
"""Vendor, address, telephone, order, date, divider, the items, divider, subtotal, tax, total, cash,
change, blank line, greeting."""


def format_money(cents):
    """1250 -> "12.50"."""
    return f"{cents // 100}.{cents % 100:02d}"


def random_cents(r):
    """Mostly less than 40.00, sometimes up to 240.00."""
    return r.randint(50, 24000 if r.random() < .15 else 4000)


def spread(left, right, columns):
    """`left` and `right` at the two ends of a line."""
    return left + " " * max(1, columns - len(left) - len(right)) + right


def vendor_name(r, words, width):
    """A shop's name that fits into `width`."""
    for _ in range(50):
        kind = r.random()
        if kind < .12:
            name = words.vendor() + "'S " + words.vendor()
        elif kind < .2:
            name = words.vendor() + " & " + words.vendor()
        elif kind < .26:
            name = words.vendor() + " " + str(r.randint(2, 99))
        elif kind < .45:
            name = words.vendor()
        elif kind < .85:
            name = words.vendor() + " " + words.vendor()
        else:
            name = " ".join(words.vendor() for _ in range(3))
        if 3 <= len(name) <= width:
            return name
    return words.pseudo(4, 8)


class _Receipt:
    """One receipt in the making: `lines` grows from the top to the bottom."""

    def __init__(self, r, held_out, level):
        self.r, self.held_out, self.level = r, held_out, level
        self.words = Words(r, held_out)
        self.columns = r.randint(*COLUMNS[level])
        self.lines = []
        self.centred = r.random() < .6
        self.rule = None
        self.currency = ""

    def chance(self, share):
        """True in `share` of the cases, never on tiny receipts."""
        return self.level > TINY and self.r.random() < share

    def put(self, text):
        """A line of the head or foot."""
        self.lines.append(text.center(self.columns).rstrip() if self.centred else text)

    def put_amount(self, label, cents):
        """A line with a sum of money at its right end."""
        self.lines.append(spread(label, self.currency + format_money(cents), self.columns))

    def divide(self):
        """A ruled line, a blank line or nothing."""
        if self.rule:
            self.lines.append(self.rule)
        elif self.chance(.3):
            self.lines.append("")

    def head(self):
        """Everything above the items; returns vendor and date."""
        r = self.r
        vendor = vendor_name(r, self.words, min(self.columns, 18))
        self.put(vendor)
        if self.chance(.35):
            self.rule = r.choice(["-", "=", "*"]) * self.columns
        if self.chance(.15 if self.level == MEDIUM else .25):
            number, street = r.randint(1, 999), self.words.vendor()[:8]
            self.put(f"{number} {street} {r.choice(['ST', 'AVE', 'RD', 'LN'])}"[:self.columns])
        if self.chance(.25):
            self.put(f"TEL {r.randint(200, 999)}-{r.randint(1000, 9999)}")
        date = f"{r.randint(2015, 2029)}-{r.randint(1, 12):02d}-{r.randint(1, 28):02d}"
        clock = f"{r.randint(0, 23):02d}:{r.randint(0, 59):02d}"
        kind = r.random()
        if kind < .35 or self.level == TINY:
            date_line = date
        elif kind < .65:
            date_line = ("DATE: " if kind < .5 else "DATE ") + date
        else:
            date_line = spread(date, clock, self.columns) if kind < .9 else f"{date} {clock}"
        if self.chance(.15):
            self.lines.append(f"{r.choice(['NO', 'REC', 'ORDER'])} #{r.randint(1, 9999)}")
        self.lines.append(date_line)
        return vendor, date

    def item_count(self):
        """How many items; fewer in tests than in training."""
        if self.level == TINY:
            return 1
        if self.level == MEDIUM:
            return self.r.randint(1, 2)
        return self.r.choice([1, 2, 2, 3, 3, 4] if self.held_out else [1, 2, 3, 3, 4, 4])

    def harder_name(self, name, room, items):
        """For training only: repeated names and names that reach up to the price."""
        r, kind = self.r, self.r.random()
        if kind < .12 and items:
            return items[-1]["name"]
        if kind < .2 and items:
            return items[-1]["name"][:r.randint(1, 4)] + name
        if kind < .35:
            while len(name) < room:
                name += " " + self.words.item()
        return name

    def body(self, count):
        """The item lines; returns the items and the sum of their prices in cents."""
        r, items, subtotal = self.r, [], 0
        style, self.currency = r.choice(["n", "nx", "none"]), r.choice(["", "", "$"])
        for _ in range(count):
            quantity = 1 if style == "none" or r.random() < .45 else r.randint(2, 9)
            cents = random_cents(r)
            if r.random() < .7:
                name = self.words.item()
            else:
                name = r.choice(ADJECTIVES) + " " + self.words.item()
            if not self.held_out and items and r.random() < .06:
                cents = int(items[-1]["price"].replace(".", ""))
            price = self.currency + format_money(cents)
            room = self.columns - len(price) - 1 - (3 if quantity > 1 or style != "none" else 0)
            if not self.held_out:
                name = self.harder_name(name, room, items)
            name = name[:room].rstrip()
            if style == "none" or (quantity == 1 and style == "nx"):
                left = name
            else:
                left = f"{quantity}{'x' if style == 'nx' else ''} {name}"
            self.lines.append(spread(left, price, self.columns))
            subtotal += cents
            items.append({"name": name, "quantity": quantity, "price": format_money(cents)})
        return items, subtotal

    def foot(self, subtotal):
        """Everything below the items; returns the total in cents."""
        r, tax = self.r, 0
        if self.chance(.6):
            tax = int(subtotal * r.choice([.05, .07, .08, .1, .2]))
            self.put_amount(r.choice(["SUBTOTAL", "SUB-TOTAL"]), subtotal)
            self.put_amount(r.choice(["TAX", "VAT"]), tax)
        total = subtotal + tax
        label = "TOTAL"
        if self.level > TINY:
            label = r.choice(["TOTAL", "TOTAL", "TOTAL:", "TOTAL USD", "TOTAL EUR"])
        amount = self.currency + format_money(total)
        self.put_amount(label if len(label) + len(amount) < self.columns else "TOTAL", total)
        if self.level > TINY:
            kind = r.random()
            if kind < .2:
                paid = (total // 1000 + 1) * 1000
                self.put_amount("CASH", paid)
                self.put_amount("CHANGE", paid - total)
            elif kind < .35:
                self.lines.append(f"VISA ****{r.randint(0, 9999):04d}")
            if r.random() < .4:
                if r.random() < .5:
                    self.lines.append("")
                self.put(r.choice(["THANK YOU", "THANKS", "COME AGAIN", "GOODBYE"]))
        return total


def make_receipt(r, held_out=False, level=FULL, items=None):
    """Returns (lines, truth, columns); truth is None at level WORDS_ONLY.

    `held_out` takes the words of the tests, `items` fixes the number of items.
    """
    if level == WORDS_ONLY:
        return _make_few_words(r, Words(r, held_out))
    receipt = _Receipt(r, held_out, level)
    vendor, date = receipt.head()
    receipt.divide()
    goods, subtotal = receipt.body(receipt.item_count() if items is None else items)
    receipt.divide()
    total = receipt.foot(subtotal)
    truth = {"vendor": vendor, "date": date, "items": goods, "total": format_money(total)}
    return receipt.lines, truth, receipt.columns


def _make_few_words(r, words):
    lines = []
    for _ in range(r.randint(1, 3)):
        lines.append(r.choice([
            words.vendor()[:8],
            words.pseudo(),
            format_money(random_cents(r)),
            f"{r.randint(2015, 2029)}-{r.randint(1, 12):02d}",
            words.pseudo(2, 4) + " " + words.pseudo(2, 4),
        ]))
    return lines, None, max(map(len, lines))


def make_dense_page(r):
    """A page of random words without empty space and with many look-alikes, for the vision half.

    Same return shape as `make_receipt`.
    """
    alphabet = "QO0D" * 3 + "I1TFEB8S5Z2G6CLJ" * 2 + CHARS[1:]
    columns, lines = r.randint(12, MAX_COLUMNS), []
    for _ in range(r.randint(5, 12)):
        line = ""
        while len(line) < columns:
            kind = r.random()
            if kind < .45:
                line += training_pseudo_word(r, 2, 8)
            elif kind < .8:
                line += "".join(r.choice(alphabet) for _ in range(r.randint(2, 9)))
            else:
                line += format_money(random_cents(r))
            line += " " * r.choice([1, 1, 1, 2, 3])
        lines.append(line[:columns].rstrip())
    return lines, None, columns


def to_json(truth, keys=KEYS):
    """Compact JSON with the numbers exactly as printed."""
    parts = []
    for key in keys:
        if key == "items":
            items = ",".join(
                f'{{"name":"{i["name"]}","quantity":{i["quantity"]},"price":{i["price"]}}}'
                for i in truth["items"])
            parts.append(f'"items":[{items}]')
        elif key == "total":
            parts.append(f'"total":{truth["total"]}')
        else:
            parts.append(f'"{key}":"{truth[key]}"')
    return "{" + ",".join(parts) + "}"


def transcript(lines):
    """The plain text, without blank lines and with single spaces."""
    return "\n".join(" ".join(line.split()) for line in lines if line.strip())


def random_keys(r):
    """A random, non-empty subset of the keys in their usual order."""
    return [key for key in KEYS if r.random() < .5] or [r.choice(KEYS)]


def random_prompt(r):
    """Returns (prompt, the keys that it asks for)."""
    if r.random() < .4:
        return r.choice(GENERIC_PROMPTS), KEYS
    keys = random_keys(r)
    order = keys[:] if r.random() < .7 else r.sample(keys, len(keys))
    named = order[0]
    if len(order) > 1:
        named = ", ".join(order[:-1]) + r.choice([" and ", ", "]) + order[-1]
    sentence = r.choice(["Extract {}.", "Extract {}.", "Extract {} as JSON.", "Return {}.",
                         "Extract the {}.", "Read {} from the receipt."])
    return sentence.format(named), keys
