"""Byte-level BPE with a handful of merges, as llama.cpp's "gpt-2" pre-tokenizer splits and merges.

    python tokenizer.py '{"vendor":"ACME","total":12.50}'
"""
from functools import lru_cache

import regex

from command_line import parser_for

SPLIT = regex.compile(
    r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+""")
SPECIALS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "[IMG]", "[IMG_BREAK]", "[IMG_END]",
            "<|blank|>", "<|pad|>"]
WORDS = ["quantity", "vendor", "date", "items", "name", "price", "total", "user", "assistant",
         "system"]
PUNCTUATION_MERGES = [
    ("{", '"'), ('"', ":"), ('":', '"'), ('"', ","), ('",', '"'), (",", '"'), ("[", '{"'),
    ('":', '[{"'), (",", '{"'), ("}", ',{"'), ("}", "]"), ("}]", ',"'), ('"', "}"), ("}]", "}"),
]
VOCABULARY_MULTIPLE = 32
"""The vocabulary is filled up to a multiple of this, as some quantised types need."""


def _byte_to_char():
    """The byte alphabet of GPT-2: printable bytes stand for themselves, others for U+0100 on."""
    printable = [*range(33, 127), *range(161, 173), *range(174, 256)]
    table = {byte: chr(byte) for byte in printable}
    for byte in range(256):
        if byte not in table:
            table[byte] = chr(256 + len(table) - len(printable))
    return table


def _word_merges():
    """Merges that build each word letter by letter from its start."""
    merges = []
    for word in WORDS:
        for i in range(1, len(word)):
            merge = word[:i], word[i]
            if merge not in merges:
                merges.append(merge)
    return merges


BYTE_TO_CHAR = _byte_to_char()
CHAR_TO_BYTE = {char: byte for byte, char in BYTE_TO_CHAR.items()}
MERGES = PUNCTUATION_MERGES + _word_merges()
RANK = {merge: rank for rank, merge in enumerate(MERGES)}


def _vocabulary():
    tokens = [BYTE_TO_CHAR[byte] for byte in range(256)]
    for left, right in MERGES:
        if left + right not in tokens:
            tokens.append(left + right)
    normal = len(tokens)
    tokens += SPECIALS
    while len(tokens) % VOCABULARY_MULTIPLE:
        tokens.append(f"<|unused{len(tokens)}|>")
    return tokens, normal


VOCABULARY, NORMAL_COUNT = _vocabulary()
ID = {token: number for number, token in enumerate(VOCABULARY)}
_SPECIAL = regex.compile("(" + "|".join(map(regex.escape, SPECIALS)) + ")")


@lru_cache(maxsize=100_000)
def _merge(piece):
    symbols = [BYTE_TO_CHAR[byte] for byte in piece.encode()]
    while len(symbols) > 1:
        rank, i = min(
            (RANK.get(pair, len(RANK)), i) for i, pair in enumerate(zip(symbols, symbols[1:])))
        if rank == len(RANK):
            break
        symbols[i:i + 2] = [symbols[i] + symbols[i + 1]]
    return [ID[symbol] for symbol in symbols]


def char_id(char):
    """The token of a single ASCII character."""
    return ID[BYTE_TO_CHAR[ord(char)]]


def letters_of(token):
    """The tokens that spell a token character by character."""
    return [ID[char] for char in VOCABULARY[token]]


def encode(text):
    """Token ids of a text; special tokens are recognised."""
    ids = []
    for part in _SPECIAL.split(text):
        if part in SPECIALS:
            ids.append(ID[part])
        elif part:
            for piece in SPLIT.findall(part):
                ids += _merge(piece)
    return ids


def decode(ids):
    """The text of token ids; bytes that are no UTF-8 become U+FFFD."""
    data = bytearray()
    for i in ids:
        if i < NORMAL_COUNT:
            data += bytes(CHAR_TO_BYTE[char] for char in VOCABULARY[i])
        else:
            data += VOCABULARY[i].encode()
    return data.decode("utf-8", "replace")


def main():
    parser = parser_for(__doc__)
    parser.add_argument("text")
    text = parser.parse_args().text
    ids = encode(text)
    print(f"{len(ids)} of {len(VOCABULARY)} tokens:", [decode([i]) for i in ids])


if __name__ == "__main__":
    main()
