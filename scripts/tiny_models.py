"""Writes the models of scripts/make-tiny-models: python tiny_models.py FOLDER

  llama     attention over all tokens              lfm2      short convolutions and attention
  mamba     a recurrent state, no attention        qwen35    gated delta nets and attention, positions in 3D
  gemma3    windows of 32 tokens in every second   qwen2vl   attention, positions in 3D
            layer

and two that are one model: bits.gguf has weights of one bit, bits-f32.gguf the numbers they stand for.
"""
import sys
from pathlib import Path

import tiny_projectors
from tiny_gguf import (
    CONTEXT_LENGTH, CONTROL, Quant, TOKENS, Weights, add_tokenizer, from_q1_0, gguf, to_q1_0, write)

WIDTH = 64
HIDDEN = 128
LAYERS = 4
HEADS, PAIRS, HEAD = 4, 2, 16  # queries, keys with values, and the length of each
RMS_EPSILON = 1e-5
WINDOW = 32


class TinyModel:
    """Metadata and tensors of one model. Its kind is the architecture's name in GGUF."""

    def __init__(self, kind, name=None, width=WIDTH, hidden=HIDDEN):
        self.kind, self.name, self.width, self.hidden = kind, name or kind, width, hidden
        self.weights = Weights(self.name)
        self.keys = {}
        self.weights.normal("token_embd.weight", (len(TOKENS), width), 1)
        # Logits with a deviation of 4: the largest is seldom near the second. Those of control tokens are small,
        # so that no text ends before its limit.
        self.weights.normal("output.weight", (len(TOKENS), width), 4 * width ** -.5)
        self.weights.tensors["output.weight"][-len(CONTROL):] *= .05

    def block(self, layer, name):
        return f"blk.{layer}.{name}"

    def attention(self, layer, query=HEADS * HEAD, output=None, head=HEAD, with_norms=False, with_bias=False):
        sizes = {"attn_q": query, "attn_k": PAIRS * head, "attn_v": PAIRS * head}
        for name, size in sizes.items():
            self.weights.matrix(self.block(layer, name), self.width, size)
            if with_bias:
                self.weights.bias(self.block(layer, name), size)
        self.weights.matrix(self.block(layer, "attn_output"), output or query, self.width)
        if with_norms:
            for name in ("attn_q_norm", "attn_k_norm"):
                self.weights.norm(self.block(layer, name), head)

    def perceptron(self, layer):
        self.weights.matrix(self.block(layer, "ffn_gate"), self.width, self.hidden)
        self.weights.matrix(self.block(layer, "ffn_up"), self.width, self.hidden)
        self.weights.matrix(self.block(layer, "ffn_down"), self.hidden, self.width)

    def norms(self, layer, *names):
        for name in names:
            self.weights.norm(self.block(layer, name), self.width)

    def writer(self, path):
        writer = gguf.GGUFWriter(path, self.kind)
        writer.add_type("model")
        writer.add_name(f"Fovea tiny random {self.name}")
        writer.add_license("apache-2.0")
        writer.add_vocab_size(len(TOKENS))
        writer.add_context_length(CONTEXT_LENGTH)
        writer.add_embedding_length(self.width)
        writer.add_feed_forward_length(self.hidden)
        writer.add_block_count(LAYERS)
        writer.add_layer_norm_rms_eps(RMS_EPSILON)
        for key, value in self.keys.items():
            key = f"{self.kind}.{key}"
            if isinstance(value, list):
                writer.add_array(key, value)
            elif isinstance(value, float):
                writer.add_float32(key, value)
            else:
                writer.add_uint32(key, value)
        add_tokenizer(writer)
        return writer

    def write(self, folder, suffix="", tensors=None, kinds=None):
        write(self.writer(folder / f"{self.name}{suffix}.gguf"), tensors or self.weights.tensors, kinds)


def attention_keys(pairs=PAIRS, head=HEAD, rotated=HEAD, **more):
    return {"attention.head_count": HEADS, "attention.head_count_kv": pairs, "attention.key_length": head,
            "attention.value_length": head, "rope.dimension_count": rotated, "rope.freq_base": 10000., **more}


def llama(name="llama", **sizes):
    model = TinyModel("llama", name, **sizes)
    head = model.width // HEADS
    model.keys = attention_keys(head=head, rotated=head)
    model.weights.norm("output_norm", model.width)
    for layer in range(LAYERS):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer, query=model.width, head=head)
        model.perceptron(layer)
    return model


def lfm2():
    """Short convolutions in even layers, attention in odd ones."""
    model = TinyModel("lfm2")
    model.keys = attention_keys(pairs=[0, PAIRS] * (LAYERS // 2)) | {"shortconv.l_cache": 3}
    model.weights.norm("token_embd_norm", WIDTH)
    for layer in range(LAYERS):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.perceptron(layer)
        if layer % 2:
            model.attention(layer, with_norms=True)
        else:
            model.weights.normal(model.block(layer, "shortconv.conv.weight"), (WIDTH, 3), 3 ** -.5)
            model.weights.matrix(model.block(layer, "shortconv.in_proj"), WIDTH, 3 * WIDTH)
            model.weights.matrix(model.block(layer, "shortconv.out_proj"), WIDTH, WIDTH)
    return model


def qwen35():
    """Gated delta nets in even layers, gated attention in odd ones."""
    model = TinyModel("qwen35")
    groups, heads, state, kernel = 2, 4, 16, 4
    inner = heads * state
    mixed = 2 * groups * state + inner
    model.keys = attention_keys(
        rotated=HEAD, **{"rope.dimension_sections": [3, 3, 2, 0], "full_attention_interval": 2,
                         "ssm.conv_kernel": kernel, "ssm.inner_size": inner, "ssm.state_size": state,
                         "ssm.time_step_rank": heads, "ssm.group_count": groups})
    model.weights.norm("output_norm", WIDTH)
    for layer in range(LAYERS):
        model.norms(layer, "attn_norm", "post_attention_norm")
        model.perceptron(layer)
        if layer % 2:
            model.attention(layer, query=2 * HEADS * HEAD, output=HEADS * HEAD, with_norms=True)
        else:
            model.weights.matrix(model.block(layer, "attn_qkv"), WIDTH, mixed)
            model.weights.matrix(model.block(layer, "attn_gate"), WIDTH, inner)
            model.weights.normal(model.block(layer, "ssm_conv1d.weight"), (mixed, kernel), kernel ** -.5)
            model.weights.steps(model.block(layer, "ssm_dt.bias"), heads)
            model.weights.uniform(model.block(layer, "ssm_a"), (heads,), -1, -.05)
            model.weights.matrix(model.block(layer, "ssm_beta"), WIDTH, heads)
            model.weights.matrix(model.block(layer, "ssm_alpha"), WIDTH, heads)
            model.weights.norm(model.block(layer, "ssm_norm"), state)
            model.weights.matrix(model.block(layer, "ssm_out"), inner, WIDTH)
    return model


def mamba():
    model = TinyModel("mamba", hidden=0)
    inner, state, rank, kernel = 2 * WIDTH, 16, 4, 4
    model.keys = {"ssm.conv_kernel": kernel, "ssm.inner_size": inner, "ssm.state_size": state,
                  "ssm.time_step_rank": rank}
    model.weights.norm("output_norm", WIDTH)
    for layer in range(LAYERS):
        model.norms(layer, "attn_norm")
        model.weights.matrix(model.block(layer, "ssm_in"), WIDTH, 2 * inner)
        model.weights.normal(model.block(layer, "ssm_conv1d.weight"), (inner, kernel), kernel ** -.5)
        model.weights.bias(model.block(layer, "ssm_conv1d"), inner)
        model.weights.matrix(model.block(layer, "ssm_x"), inner, rank + 2 * state)
        model.weights.matrix(model.block(layer, "ssm_dt"), rank, inner)
        model.weights.steps(model.block(layer, "ssm_dt.bias"), inner)
        model.weights.uniform(model.block(layer, "ssm_a"), (inner, state), -2, -.02)
        model.weights.uniform(model.block(layer, "ssm_d"), (inner,), .8, 1.2)
        model.weights.matrix(model.block(layer, "ssm_out"), inner, WIDTH)
    return model


def gemma3():
    model = TinyModel("gemma3")
    model.keys = attention_keys(**{"attention.sliding_window": WINDOW, "attention.sliding_window_pattern": 2})
    # The embeddings are multiplied by the root of the width.
    model.weights.normal("token_embd.weight", (len(TOKENS), WIDTH), WIDTH ** -.5)
    model.weights.norm("output_norm", WIDTH)
    for layer in range(LAYERS):
        model.norms(layer, "attn_norm", "post_attention_norm", "ffn_norm", "post_ffw_norm")
        model.attention(layer, with_norms=True)
        model.perceptron(layer)
    return model


def qwen2vl():
    model = TinyModel("qwen2vl")
    model.keys = attention_keys(**{"rope.dimension_sections": [2, 3, 3, 0]})
    model.weights.norm("output_norm", WIDTH)
    for layer in range(LAYERS):
        model.norms(layer, "attn_norm", "ffn_norm")
        model.attention(layer, with_bias=True)
        model.perceptron(layer)
    return model


def write_bits(folder):
    """One model twice: its matrices as bits, and as the numbers that the bits stand for."""
    model = llama("bits", width=128, hidden=256)
    bits = dict(model.weights.tensors)
    kinds = {}
    for name, values in model.weights.tensors.items():
        if values.ndim == 2:
            bits[name], kinds[name] = to_q1_0(values), Quant.Q1_0
    model.write(folder, tensors=bits, kinds=kinds)
    numbers = {name: from_q1_0(values) if name in kinds else values for name, values in bits.items()}
    model.write(folder, "-f32", tensors=numbers)


def main():
    folder = Path(sys.argv[1])
    for make in (llama, lfm2, qwen35, mamba, gemma3, qwen2vl):
        make().write(folder)
    write_bits(folder)
    tiny_projectors.write_all(folder, WIDTH)


if __name__ == "__main__":
    main()
