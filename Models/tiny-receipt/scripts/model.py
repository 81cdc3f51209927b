"""The two halves, a pixtral-style vision transformer and a llama-style text model, and checkpoints.

    python model.py

prints their sizes.
"""
import math

import torch
import torch.nn.functional as F
from torch import nn

from command_line import parser_for
from drawing import CELL, CLASS_COUNT
from tokenizer import VOCABULARY

EPSILON = 1e-5
ROPE_BASE = 10000.0

TEXT_CONFIG = {"width": 160, "layers": 4, "heads": 5, "hidden": 416, "vocabulary": len(VOCABULARY)}
VISION_CONFIG = {"width": 128, "layers": 4, "heads": 4, "hidden": 320, "patch": CELL,
                 "projector_hidden": 192, "text_width": TEXT_CONFIG["width"],
                 "classes": CLASS_COUNT}


class RMSNorm(nn.Module):
    """Root mean square normalisation with a learnt scale."""

    def __init__(self, width):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + EPSILON) * self.weight


def attend(query, key, value, causal):
    """Scaled dot-product attention, [n, heads, time, size] each."""
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(query, key, value, is_causal=causal)
    # Debian 12 has a PyTorch from before that function.
    scores = query @ key.mT / math.sqrt(query.shape[-1])
    if causal:
        above = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1)
        scores = scores.masked_fill(above, float("-inf"))
    return scores.softmax(-1) @ value


def rotate(x, cos, sin):
    """Rotary embedding of interleaved pairs, as ggml's NORM type."""
    even, odd = x.unflatten(-1, (-1, 2)).unbind(-1)
    return torch.stack((even * cos - odd * sin, even * sin + odd * cos), -1).flatten(-2)


class Block(nn.Module):
    """A transformer layer: attention, then a gated perceptron, each after a normalisation."""

    def __init__(self, width, heads, hidden):
        super().__init__()
        self.heads = heads
        self.attention_norm, self.perceptron_norm = RMSNorm(width), RMSNorm(width)
        self.query = nn.Linear(width, width, bias=False)
        self.key = nn.Linear(width, width, bias=False)
        self.value = nn.Linear(width, width, bias=False)
        self.output = nn.Linear(width, width, bias=False)
        self.gate = nn.Linear(width, hidden, bias=False)
        self.up = nn.Linear(width, hidden, bias=False)
        self.down = nn.Linear(hidden, width, bias=False)

    def forward(self, x, cos, sin, causal, cache=None):
        n, time, _ = x.shape
        y = self.attention_norm(x)
        query, key, value = (layer(y).view(n, time, self.heads, -1).transpose(1, 2)
                             for layer in (self.query, self.key, self.value))
        query, key = rotate(query, cos, sin), rotate(key, cos, sin)
        if cache is not None:
            if cache:
                key = torch.cat((cache["key"], key), 2)
                value = torch.cat((cache["value"], value), 2)
            cache["key"], cache["value"] = key, value
            causal = causal and time > 1
        attended = attend(query, key, value, causal)
        x = x + self.output(attended.transpose(1, 2).reshape(n, time, -1))
        y = self.perceptron_norm(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y))


class Vision(nn.Module):
    """The graph that clip.cpp computes for the projector type "pixtral", on grey pixels.

    `classifier` names the character of a cell; only training and glueing use it.
    """

    def __init__(self, **config):
        super().__init__()
        self.config = config
        width, self.patch_side = config["width"], config["patch"]
        self.patch = nn.Linear(self.patch_side ** 2, width, bias=False)
        self.input_norm, self.output_norm = RMSNorm(width), RMSNorm(width)
        self.blocks = nn.ModuleList(
            Block(width, config["heads"], config["hidden"]) for _ in range(config["layers"]))
        self.projector_in = nn.Linear(width, config["projector_hidden"])
        self.projector_out = nn.Linear(config["projector_hidden"], config["text_width"])
        self.classifier = nn.Linear(width, config["classes"])

    def _rotations(self, rows, columns):
        """Half of each head turns with the row, the other half with the column."""
        size = self.config["width"] // self.config["heads"]
        row_rates = ROPE_BASE ** (-2 * torch.arange(size // 4, dtype=torch.float32) / (size / 2))
        column_rates = row_rates * ROPE_BASE ** (-2.0 / size)
        row = torch.arange(rows).repeat_interleave(columns).float()[:, None]
        column = torch.arange(columns).repeat(rows).float()[:, None]
        angles = torch.cat((row * row_rates, column * column_rates), 1)
        return angles.cos(), angles.sin()

    def features(self, pixels):
        """[n, height, width] in -1..1, sides multiples of the patch -> [n, patches, width]."""
        n, height, width = pixels.shape
        side = self.patch_side
        rows, columns = height // side, width // side
        patches = pixels.view(n, rows, side, columns, side).transpose(2, 3)
        x = self.input_norm(self.patch(patches.reshape(n, rows * columns, side * side)))
        cos, sin = self._rotations(rows, columns)
        for block in self.blocks:
            x = block(x, cos, sin, causal=False)
        return self.output_norm(x)

    def project(self, features):
        """Features -> embeddings of the text half."""
        return self.projector_out(F.gelu(self.projector_in(features), approximate="tanh"))


class Text(nn.Module):
    """The graph of the architecture "llama", with input and output embeddings tied."""

    def __init__(self, **config):
        super().__init__()
        self.config = config
        width, size = config["width"], config["width"] // config["heads"]
        self.embedding = nn.Embedding(config["vocabulary"], width)
        self.blocks = nn.ModuleList(
            Block(width, config["heads"], config["hidden"]) for _ in range(config["layers"]))
        self.norm = RMSNorm(width)
        rates = ROPE_BASE ** (-torch.arange(0, size, 2).float() / size)
        self.register_buffer("rates", rates, persistent=False)

    def forward(self, x, select=None, cache=None, offset=0):
        """Logits of token ids [n, t] or embeddings [n, t, width].

        `select`, a boolean mask [n, t], keeps only some positions; `cache` (a list of one dict for
        each block) and `offset` (the position of the first token) continue an earlier call.
        """
        if x.dtype == torch.long:
            x = self.embedding(x)
        angles = torch.arange(offset, offset + x.shape[1]).float()[:, None] * self.rates
        cos, sin = angles.cos(), angles.sin()
        for i, block in enumerate(self.blocks):
            x = block(x, cos, sin, causal=True, cache=None if cache is None else cache[i])
        if select is not None:
            x = x[select]
        return F.linear(self.norm(x), self.embedding.weight)


def _initialise(half):
    for name, parameter in half.named_parameters():
        if parameter.ndim == 2:
            deviation = 1 / math.sqrt(parameter.shape[1])
            if "embedding" in name:
                deviation = .05
            elif name.endswith(("output.weight", "down.weight")):
                deviation *= .5
            nn.init.normal_(parameter, std=deviation)
    return half


def new_vision():
    """A vision half with random weights."""
    return _initialise(Vision(**VISION_CONFIG))


def new_text():
    """A text half with random weights."""
    return _initialise(Text(**TEXT_CONFIG))


def save(path, **halves):
    """Writes a checkpoint of `vision=`, `text=` or both."""
    torch.save({name: {"config": half.config, "weights": half.state_dict()}
                for name, half in halves.items()}, path)


def _load(path, name, kind):
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    if name not in checkpoint:
        raise SystemExit(f"{path} holds no {name} half, only: {', '.join(checkpoint)}")
    half = kind(**checkpoint[name]["config"])
    half.load_state_dict(checkpoint[name]["weights"])
    return half


def load_vision(path):
    """The vision half of a checkpoint."""
    return _load(path, "vision", Vision)


def load_text(path):
    """The text half of a checkpoint."""
    return _load(path, "text", Text)


def main():
    parser_for(__doc__).parse_args()
    for half in (new_vision(), new_text()):
        count = sum(parameter.numel() for parameter in half.parameters())
        print(f"{type(half).__name__}: {count} parameters, {half.config}")


if __name__ == "__main__":
    main()
