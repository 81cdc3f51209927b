"""Reads the vocabularies that scripts/vocabularies writes; needs nothing but Python."""
import struct

CONTROL, USER_DEFINED = 1 << 3, 1 << 4
NONE = 0xFFFFFFFF


class Vocabulary:
    """pieces[i] is what token i writes. special: tokens that are not text. end: the one that ends an answer."""

    def __init__(self, path):
        with open(path, "rb") as file:
            data = file.read()
        count, end_of_text, end_of_turn = struct.unpack_from("<III", data)
        self.pieces, self.special = [], set()
        position = 12
        for token in range(count):
            length, attributes = struct.unpack_from("<II", data, position)
            piece = data[position + 8 : position + 8 + length]
            position += 8 + length
            self.pieces.append(piece)
            if attributes & CONTROL or (attributes & USER_DEFINED and piece[:1] == b"<" and piece[-1:] == b">"):
                self.special.add(token)
        self.end = end_of_text if end_of_turn == NONE else end_of_turn

    def text(self, tokens):
        return b"".join(self.pieces[token] for token in tokens)

    def greedy(self):
        """A function from text to tokens that takes the longest token each time. No model would write these, but they
        cover the same bytes and need no tokenizer."""
        tokens = {}
        for token, piece in enumerate(self.pieces):
            if token not in self.special: tokens.setdefault(piece, token)
        longest = max(map(len, tokens))

        def encode(text):
            data, result, at = text.encode(), [], 0
            while at < len(data):
                for length in range(min(longest, len(data) - at), 0, -1):
                    token = tokens.get(data[at : at + length])
                    if token is not None: break
                else:
                    raise ValueError(f"no token for the byte {data[at]}")
                result.append(token)
                at += length
            return result

        return encode
