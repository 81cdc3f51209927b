#!/usr/bin/env python3
"""Writes the tokenizer of a GGUF file as a tokenizer.json of Hugging Face, which llguidance needs.

    tokenizer.py MODEL.gguf OUT.json

llguidance follows forced bytes with tokens of its own, so that a tokenizer which splits text otherwise than the
model would be another benchmark. tasks.py checks that what comes out writes the text that went in.
"""
import sys

from gguf import GGUFReader
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers

NORMAL, CONTROL, USER_DEFINED = 1, 3, 4

# How each kind of tokenizer cuts text into words, as its models were trained; a GGUF file only has the name.
_CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
WORDS = {
    "llama-bpe": "|".join([
        _CONTRACTION, r"[^\r\n\p{L}\p{N}]?\p{L}+", r"\p{N}{1,3}", r" ?[^\s\p{L}\p{N}]+[\r\n]*", _SPACES]),
    "qwen35": "|".join([
        _CONTRACTION, r"[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+", r"\p{N}", r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*", _SPACES]),
}


def value(reader, name):
    return reader.fields[name].contents() if name in reader.fields else None


def convert(source, out):
    reader = GGUFReader(source)
    tokens = value(reader, "tokenizer.ggml.tokens")
    kinds = value(reader, "tokenizer.ggml.token_type")
    ids = {token: number for number, token in enumerate(tokens)}
    merges = []
    for merge in value(reader, "tokenizer.ggml.merges"):
        left, _, right = merge[1:].partition(" ")  # a part may itself begin with a blank
        left = merge[0] + left
        if left in ids and right in ids and left + right in ids: merges.append((left, right))
    model, words = value(reader, "tokenizer.ggml.model"), value(reader, "tokenizer.ggml.pre")
    if model == "gpt2" and words in WORDS:
        # The vocabulary of Llama 3 has words that its merges cannot reach; they are taken whole.
        bpe = models.BPE(vocab=ids, merges=merges, ignore_merges=words == "llama-bpe")
        tokenizer = Tokenizer(bpe)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([
            pre_tokenizers.Split(Regex(WORDS[words]), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ])
        tokenizer.decoder = decoders.ByteLevel()
    elif model == "gemma4":
        bpe = models.BPE(vocab=ids, merges=merges, byte_fallback=True, fuse_unk=True, unk_token="<unk>")
        tokenizer = Tokenizer(bpe)
        tokenizer.normalizer = normalizers.Replace(" ", "▁")
        tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"\n+|[^\n]+"), "isolated")
        tokenizer.decoder = decoders.Sequence(
            [decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    else:
        sys.exit(f"tokenizer.py: {source} has a tokenizer that is not known here: {model}, {words}")
    special = [
        AddedToken(token, special=True, normalized=False) for token, kind in zip(tokens, kinds)
        if kind == CONTROL or kind == USER_DEFINED and token.startswith("<") and token.endswith(">")]
    tokenizer.add_special_tokens(special)
    tokenizer.save(out)


if __name__ == "__main__":
    if len(sys.argv) != 3: sys.exit(__doc__)
    convert(*sys.argv[1:])
