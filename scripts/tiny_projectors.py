"""Projectors of scripts/make-tiny-models, which turn pictures into embeddings of the tiny models' width."""
from tiny_gguf import Weights, gguf, write

WIDTH, HIDDEN, HEADS, LAYERS = 32, 64, 2, 2


class TinyProjector:
    """Metadata and tensors of one projector; its kind is its name in GGUF."""

    def __init__(self, kind, text_width, image_size, patch_size):
        self.kind = kind
        self.weights = Weights(f"mmproj-{kind}")
        self.keys = {
            "image_size": image_size, "patch_size": patch_size, "embedding_length": WIDTH,
            "feed_forward_length": HIDDEN, "projection_dim": text_width, "block_count": LAYERS,
            "attention.head_count": HEADS}

    def write(self, folder):
        writer = gguf.GGUFWriter(folder / f"mmproj-{self.kind}.gguf", "clip")
        writer.add_type("mmproj")
        writer.add_name(f"Fovea tiny random {self.kind}")
        writer.add_string("clip.projector_type", self.kind)
        writer.add_bool("clip.has_vision_encoder", True)
        writer.add_float32("clip.vision.attention.layer_norm_epsilon", 1e-5)
        writer.add_array("clip.vision.image_mean", [.5] * 3)
        writer.add_array("clip.vision.image_std", [.5] * 3)
        for key, value in self.keys.items():
            writer.add_uint32(f"clip.vision.{key}", value)
        write(writer, self.weights.tensors)


def vision_tower(weights, gated=False, fused=False, with_bias=True):
    """The blocks that all projectors here begin with; they differ in norms, biases and names."""
    for layer in range(LAYERS):
        block = f"v.blk.{layer}"
        matrices = {"attn_out": (WIDTH, WIDTH), "ffn_up": (WIDTH, HIDDEN), "ffn_down": (HIDDEN, WIDTH)}
        matrices |= {"attn_qkv": (WIDTH, 3 * WIDTH)} if fused else {
            name: (WIDTH, WIDTH) for name in ("attn_q", "attn_k", "attn_v")}
        if gated:
            matrices["ffn_gate"] = (WIDTH, HIDDEN)
        for name, (columns, rows) in matrices.items():
            weights.matrix(f"{block}.{name}", columns, rows)
            if with_bias:
                weights.bias(f"{block}.{name}", rows)
        for name in ("ln1", "ln2"):
            weights.norm(f"{block}.{name}", WIDTH, with_bias)


def patches(weights, patch_size, name="v.patch_embd.weight"):
    area = 3 * patch_size ** 2
    weights.normal(name, (WIDTH, 3, patch_size, patch_size), area ** -.5)


def perceptron(weights, first, second, columns, hidden, rows):
    weights.matrix(first, columns, hidden)
    weights.bias(first, hidden)
    weights.matrix(second, hidden, rows)
    weights.bias(second, rows)


def pixtral(text_width):
    """Any size of picture, a token for each patch, and one at the end of each row."""
    projector = TinyProjector("pixtral", text_width, image_size=128, patch_size=16)
    projector.keys["spatial_merge_size"] = 1
    weights = projector.weights
    patches(weights, 16)
    weights.norm("v.pre_ln", WIDTH)
    vision_tower(weights, gated=True, with_bias=False)
    perceptron(weights, "mm.1", "mm.2", WIDTH, text_width, text_width)
    weights.normal("v.token_embd.img_break", (text_width,), 1)
    return projector


def lfm2(text_width):
    """Any size of picture, 2 x 2 patches in a token."""
    projector = TinyProjector("lfm2", text_width, image_size=256, patch_size=16)
    projector.keys["projector.scale_factor"] = 2
    weights = projector.weights
    patches(weights, 16)
    weights.bias("v.patch_embd", WIDTH)
    weights.normal("v.position_embd.weight", ((256 // 16) ** 2, WIDTH), 1)
    vision_tower(weights)
    weights.norm("v.post_ln", WIDTH, with_bias=True)
    weights.norm("mm.input_norm", 4 * WIDTH, with_bias=True)
    perceptron(weights, "mm.1", "mm.2", 4 * WIDTH, text_width, text_width)
    return projector


def gemma3(text_width):
    """One size of picture, 16 tokens that see each other and so go into one batch."""
    projector = TinyProjector("gemma3", text_width, image_size=128, patch_size=8)
    projector.keys["projector.scale_factor"] = 4
    weights = projector.weights
    patches(weights, 8)
    weights.bias("v.patch_embd", WIDTH)
    weights.normal("v.position_embd.weight", ((128 // 8) ** 2, WIDTH), 1)
    vision_tower(weights)
    weights.norm("v.post_ln", WIDTH, with_bias=True)
    weights.norm("mm.soft_emb_norm", WIDTH)
    weights.normal("mm.input_projection.weight", (WIDTH, text_width), WIDTH ** -.5)
    return projector


def qwen2vl(text_width):
    """Any size of picture, 2 x 2 patches in a token, which has a position in 3D."""
    projector = TinyProjector("qwen2vl_merger", text_width, image_size=256, patch_size=14)
    weights = projector.weights
    patches(weights, 14)
    patches(weights, 14, "v.patch_embd.weight.1")
    vision_tower(weights)
    weights.norm("v.post_ln", WIDTH, with_bias=True)
    perceptron(weights, "mm.0", "mm.2", 4 * WIDTH, 4 * WIDTH, text_width)
    return projector


def qwen3vl(text_width):
    """The same with a table of positions, as the hybrid model with delta nets has it."""
    projector = TinyProjector("qwen3vl_merger", text_width, image_size=256, patch_size=16)
    projector.keys["spatial_merge_size"] = 2
    weights = projector.weights
    patches(weights, 16)
    patches(weights, 16, "v.patch_embd.weight.1")
    weights.bias("v.patch_embd", WIDTH)
    weights.normal("v.position_embd.weight", ((256 // 16) ** 2, WIDTH), 1)
    vision_tower(weights, fused=True)
    weights.norm("v.post_ln", WIDTH, with_bias=True)
    perceptron(weights, "mm.0", "mm.2", 4 * WIDTH, 4 * WIDTH, text_width)
    return projector


def write_all(folder, text_width):
    for make in (pixtral, lfm2, gemma3, qwen2vl, qwen3vl):
        make(text_width).write(folder)
