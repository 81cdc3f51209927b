"""What the tiny models of scripts/make-tiny-models have in common: random numbers, a vocabulary, a file."""
import zlib

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Quant

SEED = 20261130
CONTEXT_LENGTH = 2048
CONTROL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|pad|>", "[IMG_BREAK]", "[IMG_END]", "<|vision_start|>",
           "<|vision_end|>", "<|image_pad|>", "<start_of_image>", "<end_of_image>", "<|image_start|>", "<|image_end|>"]
WORDS = [" the", " and", " of", " total", " receipt", "ing", "tion", '":"', '","', '":', "00", " date", " name", "user",
         "assistant", "system"]
"""Texts that are one token each, so that tokens and bytes are not the same."""
CHAT_TEMPLATE = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")


def byte_letters():
    """The letter that stands for each byte in vocabularies of this kind: itself where it can be seen."""
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in seen]
    letters = {byte: chr(byte) for byte in seen}
    return letters | {byte: chr(256 + place) for place, byte in enumerate(hidden)}


def vocabulary():
    """(tokens, merges): the 256 bytes, WORDS with all their beginnings, and CONTROL at the end."""
    letters = byte_letters()
    tokens, merges = list(letters.values()), []
    for word in WORDS:
        pieces = [letters[byte] for byte in word.encode()]
        joined = pieces[0]
        for piece in pieces[1:]:
            if joined + piece not in tokens:
                merges.append(f"{joined} {piece}")
                tokens.append(joined + piece)
            joined += piece
    return tokens + CONTROL, merges


TOKENS, MERGES = vocabulary()


class Weights:
    """Random tensors of one file. Each has a generator of its own, so that none changes with the others."""

    def __init__(self, kind):
        self.kind = kind
        self.tensors = {}

    def _random(self, name):
        return np.random.Generator(np.random.PCG64([SEED, zlib.crc32(f"{self.kind}/{name}".encode())]))

    def normal(self, name, shape, deviation):
        self.tensors[name] = (self._random(name).standard_normal(shape) * deviation).astype(np.float32)

    def uniform(self, name, shape, low, high, change=lambda values: values):
        self.tensors[name] = change(self._random(name).uniform(low, high, shape)).astype(np.float32)

    def matrix(self, name, columns, rows):
        """Takes vectors of length `columns` to vectors of length `rows` and keeps their size."""
        self.normal(f"{name}.weight", (rows, columns), columns ** -.5)

    def norm(self, name, size, with_bias=False):
        self.uniform(f"{name}.weight", (size,), .8, 1.2)
        if with_bias:
            self.bias(name, size)

    def bias(self, name, size):
        self.normal(f"{name}.bias", (size,), .1)

    def steps(self, name, size):
        """Biases that softplus turns into steps between 0.01 and 0.1: states that last for many tokens."""
        self.uniform(name, (size,), .01, .1, lambda steps: np.log(np.expm1(steps)))


def add_tokenizer(writer):
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(TOKENS)
    writer.add_token_types([gguf.TokenType.NORMAL] * (len(TOKENS) - len(CONTROL))
                           + [gguf.TokenType.CONTROL] * len(CONTROL))
    writer.add_token_merges(MERGES)
    writer.add_bos_token_id(TOKENS.index("<|endoftext|>"))
    writer.add_eos_token_id(TOKENS.index("<|im_end|>"))
    writer.add_pad_token_id(TOKENS.index("<|pad|>"))
    writer.add_add_bos_token(False)
    writer.add_chat_template(CHAT_TEMPLATE)


def write(writer, tensors, kinds=None):
    """`kinds`: the types of tensors that come as the bytes of blocks; all others are numbers."""
    for name, values in tensors.items():
        kind = (kinds or {}).get(name)
        writer.add_tensor(name, values, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


Q1_BLOCK = 128


def to_q1_0(values):
    """Rows of Q1_0 blocks: for 128 numbers their mean size as a half, then a bit for each sign."""
    rows, columns = values.shape
    blocks = values.reshape(rows, columns // Q1_BLOCK, Q1_BLOCK)
    scale = np.abs(blocks).mean(axis=-1, keepdims=True).astype("<f2")
    signs = np.packbits(blocks >= 0, axis=-1, bitorder="little")
    return np.concatenate([scale.view(np.uint8), signs], axis=-1).reshape(rows, -1)


def from_q1_0(rows):
    """The numbers that Q1_0 blocks stand for."""
    blocks = rows.reshape(rows.shape[0], -1, 2 + Q1_BLOCK // 8)
    scale = np.ascontiguousarray(blocks[..., :2]).view("<f2").astype(np.float32)
    signs = np.unpackbits(blocks[..., 2:], axis=-1, bitorder="little").astype(np.float32)
    return (scale * (2 * signs - 1)).reshape(rows.shape[0], -1)
