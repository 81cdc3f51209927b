"""Checks a pair of exported files against a reference pair, a checkpoint and the tokenizer.

    python check_gguf.py --files folder --like .. --checkpoint joint.pt

The keys with their values, the tensors' names, shapes and types must be those of the reference, the
tensors' values those of the checkpoint, and the tokenizer must give back every text.
"""
import random
import string
from pathlib import Path

import gguf
import numpy as np

import model
import tokenizer
from command_line import parser_for
from export_gguf import FILE_TYPES, file_names, stored, text_tensors, vision_tensors
from layout import GENERIC_PROMPTS, make_receipt, to_json, transcript


class Problems(list):
    """What was found to be wrong; `expect` adds to it."""

    def expect(self, holds, text):
        if not holds:
            self.append(text)


def keys_of(reader):
    """Metadata keys and values, without those of the container."""
    return {name: field.contents() for name, field in reader.fields.items()
            if not name.startswith("GGUF.")}


def layout_of(reader):
    """Names, shapes and types of the tensors."""
    return {t.name: (t.shape.tolist(), t.tensor_type.name) for t in reader.tensors}


def compare_with_reference(problems, name, reader, reference):
    """Same metadata, same tensors but for their values."""
    for what, ours, theirs in (("key", keys_of(reader), keys_of(reference)),
                               ("tensor", layout_of(reader), layout_of(reference))):
        problems.expect(theirs, f"{name}: the reference has no {what}")
        for key in sorted(ours.keys() | theirs.keys()):
            problems.expect(
                ours.get(key) == theirs.get(key),
                f"{name}: {what} {key}: {ours.get(key)} instead of {theirs.get(key)}")


def compare_with_checkpoint(problems, name, reader, tensors, quant):
    """Every tensor is the checkpoint's, bit for bit, after conversion to the file's type."""
    found = {tensor.name: tensor for tensor in reader.tensors}
    problems.expect(found.keys() == tensors.keys(), f"{name}: other tensors than the checkpoint's")
    for key in found.keys() & tensors.keys():
        array, kind = stored(tensors[key], quant)
        same = found[key].tensor_type == kind and np.array_equal(found[key].data, array)
        problems.expect(same, f"{name}: tensor {key} is not the checkpoint's")


def check_tokenizer(problems, reader, seed=1):
    """Random texts come back; the file's vocabulary is the tokenizer's."""
    keys = keys_of(reader)
    problems.expect(keys["tokenizer.ggml.tokens"] == tokenizer.VOCABULARY, "other vocabulary")
    merges = [tuple(merge.split(" ")) for merge in keys["tokenizer.ggml.merges"]]
    problems.expect(merges == tokenizer.MERGES, "other merges")
    r = random.Random(seed)
    texts = GENERIC_PROMPTS + ["", "\n", "<|im_start|>user\n", "naïve – 12 €", "\U0001f9fe"]
    for _ in range(200):
        lines, truth, _ = make_receipt(r)
        texts += [to_json(truth), transcript(lines)]
        texts.append("".join(r.choices(string.printable, k=r.randint(1, 40))))
    for text in texts:
        ids = tokenizer.encode(text)
        problems.expect(tokenizer.decode(ids) == text, f"tokenizer: {text!r} does not come back")
        problems.expect(len(ids) <= len(text.encode()), f"tokenizer: {text!r} is not compressed")
    return len(texts)


def main():
    parser = parser_for(__doc__)
    parser.add_argument("--files", required=True, type=Path, help="folder of the pair to check")
    parser.add_argument("--like", required=True, type=Path, help="folder of the reference pair")
    parser.add_argument("--checkpoint", help="checkpoint from glue.py, to compare tensors with")
    parser.add_argument("--type", choices=FILE_TYPES, default="f16")
    options = parser.parse_args()
    problems, names = Problems(), file_names(options.type)
    readers = [gguf.GGUFReader(options.files / name) for name in names]
    for name, reader in zip(names, readers):
        compare_with_reference(problems, name, reader, gguf.GGUFReader(options.like / name))
    if options.checkpoint:
        text = model.load_text(options.checkpoint)
        vision = model.load_vision(options.checkpoint)
        tensors = text_tensors(text), vision_tensors(vision, text)
        for name, reader, half in zip(names, readers, tensors):
            compare_with_checkpoint(problems, name, reader, half, FILE_TYPES[options.type][0])
    texts = check_tokenizer(problems, readers[0])
    for problem in problems:
        print("problem:", problem)
    if problems:
        raise SystemExit(f"{len(problems)} problems")
    count = sum(len(reader.tensors) for reader in readers)
    print(f"{count} tensors and all keys are as they should be; {texts} texts came back")


if __name__ == "__main__":
    main()
