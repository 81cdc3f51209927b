"""Writes the two files that llama.cpp reads: the text model and the vision half ("mmproj").

    python export_gguf.py --model joint.pt --out folder --types f16 q8_0

writes fovea-tiny-f16.gguf, mmproj-fovea-tiny-f16.gguf and so on.
"""
from pathlib import Path

import gguf
import numpy as np
from gguf import GGMLQuantizationType as Quant

import model
import tokenizer
from command_line import parser_for
from drawing import MAX_HEIGHT, MAX_WIDTH
from layout import GENERIC_PROMPTS

FILE_TYPES = {
    "f32": (Quant.F32, gguf.LlamaFileType.ALL_F32),
    "f16": (Quant.F16, gguf.LlamaFileType.MOSTLY_F16),
    "q8_0": (Quant.Q8_0, gguf.LlamaFileType.MOSTLY_Q8_0),
}
CONTEXT_LENGTH = 2048
IMAGE_SIZE = 384
"""A bound for clip.cpp; the real limits are the `fovea.image` keys."""

CHAT_TEMPLATE = (
    "{% for m in messages %}"
    "{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")


def _block_names(output, first_norm, second_norm):
    """Our name of each part of a block -> the GGUF's; the two halves differ in three of them."""
    return {"query": "attn_q", "key": "attn_k", "value": "attn_v", "output": output,
            "gate": "ffn_gate", "up": "ffn_up", "down": "ffn_down",
            "attention_norm": first_norm, "perceptron_norm": second_norm}


TEXT_NAMES = _block_names("attn_output", "attn_norm", "ffn_norm")
VISION_NAMES = _block_names("attn_out", "ln1", "ln2")


def _block_tensors(prefix, half, names):
    return {f"{prefix}blk.{i}.{theirs}.weight": getattr(block, ours).weight
            for i, block in enumerate(half.blocks) for ours, theirs in names.items()}


def text_tensors(text):
    """Every tensor of the text half under its GGUF name, in full precision."""
    return {
        "token_embd.weight": text.embedding.weight,
        **_block_tensors("", text, TEXT_NAMES),
        "output_norm.weight": text.norm.weight,
    }


def vision_tensors(vision, text):
    """Every tensor of the vision half under its GGUF name, in full precision."""
    width, side = vision.config["width"], vision.config["patch"]
    # The filter for grey pixels, spread over three colour channels.
    patch = vision.patch.weight.view(width, 1, side, side).repeat(1, 3, 1, 1) / 3
    return {
        "v.patch_embd.weight": patch,
        "v.pre_ln.weight": vision.input_norm.weight,
        "v.post_ln.weight": vision.output_norm.weight,
        **_block_tensors("v.", vision, VISION_NAMES),
        "mm.1.weight": vision.projector_in.weight,
        "mm.1.bias": vision.projector_in.bias,
        "mm.2.weight": vision.projector_out.weight,
        "mm.2.bias": vision.projector_out.bias,
        "v.token_embd.img_break": text.embedding.weight[tokenizer.ID["[IMG_BREAK]"]],
    }


def stored(tensor, quant):
    """(array, type) as the file holds a tensor: vectors stay f32, others become `quant`."""
    array = tensor.detach().float().numpy()
    if array.ndim < 2 or quant == Quant.F32:
        return array, Quant.F32
    if quant == Quant.Q8_0 and array.ndim == 2 and array.shape[1] % 32 == 0:
        return gguf.quants.quantize(array, quant), quant
    return array.astype(np.float16), Quant.F16


def _write(writer, tensors, quant):
    for name, tensor in tensors.items():
        array, kind = stored(tensor, quant)
        writer.add_tensor(name, array, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def write_text(path, text, type_name):
    """Writes the text model."""
    quant, file_type = FILE_TYPES[type_name]
    config = text.config
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_type("model")
    writer.add_name("Fovea Tiny Receipt")
    writer.add_description("Tiny synthetic-receipt reader trained from scratch on CPU; "
                           "reads only fixed-pitch thermal receipts")
    writer.add_license("apache-2.0")
    writer.add_vocab_size(config["vocabulary"])
    writer.add_context_length(CONTEXT_LENGTH)
    writer.add_embedding_length(config["width"])
    writer.add_block_count(config["layers"])
    writer.add_feed_forward_length(config["hidden"])
    writer.add_head_count(config["heads"])
    writer.add_head_count_kv(config["heads"])
    writer.add_layer_norm_rms_eps(model.EPSILON)
    writer.add_rope_freq_base(model.ROPE_BASE)
    writer.add_rope_dimension_count(config["width"] // config["heads"])
    writer.add_file_type(file_type)
    _add_tokenizer(writer)
    writer.add_chat_template(CHAT_TEMPLATE)
    # For Fovea: the prompt is the image and the instruction, without rules or a schema's text.
    writer.add_string("fovea.prompt.style", "instruction")
    writer.add_string("fovea.prompt.default", GENERIC_PROMPTS[0])
    _write(writer, text_tensors(text), quant)


def _add_tokenizer(writer):
    special = len(tokenizer.SPECIALS)
    unused = len(tokenizer.VOCABULARY) - tokenizer.NORMAL_COUNT - special
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("gpt-2")
    writer.add_token_list(tokenizer.VOCABULARY)
    writer.add_token_types([gguf.TokenType.NORMAL] * tokenizer.NORMAL_COUNT
                           + [gguf.TokenType.CONTROL] * special
                           + [gguf.TokenType.UNUSED] * unused)
    writer.add_token_merges([f"{left} {right}" for left, right in tokenizer.MERGES])
    writer.add_bos_token_id(tokenizer.ID["<|endoftext|>"])
    writer.add_eos_token_id(tokenizer.ID["<|im_end|>"])
    writer.add_pad_token_id(tokenizer.ID["<|pad|>"])
    writer.add_add_bos_token(False)
    writer.add_add_eos_token(False)


def write_vision(path, vision, text, type_name):
    """Writes the vision half and the projector."""
    quant, file_type = FILE_TYPES[type_name]
    config = vision.config
    writer = gguf.GGUFWriter(path, "clip")
    writer.add_type("mmproj")
    writer.add_name("Fovea Tiny Receipt vision")
    writer.add_license("apache-2.0")
    writer.add_file_type(file_type)
    writer.add_string("clip.projector_type", "pixtral")
    writer.add_bool("clip.has_vision_encoder", True)
    writer.add_bool("clip.use_silu", True)
    writer.add_uint32("clip.vision.image_size", IMAGE_SIZE)
    writer.add_uint32("clip.vision.patch_size", config["patch"])
    writer.add_uint32("clip.vision.embedding_length", config["width"])
    writer.add_uint32("clip.vision.feed_forward_length", config["hidden"])
    writer.add_uint32("clip.vision.projection_dim", config["text_width"])
    writer.add_uint32("clip.vision.block_count", config["layers"])
    writer.add_uint32("clip.vision.attention.head_count", config["heads"])
    writer.add_uint32("clip.vision.spatial_merge_size", 1)
    writer.add_float32("clip.vision.attention.layer_norm_epsilon", model.EPSILON)
    writer.add_array("clip.vision.image_mean", [.5] * 3)
    writer.add_array("clip.vision.image_std", [.5] * 3)
    # For Fovea: larger images are shrunk by the smallest whole factor that makes them fit.
    writer.add_uint32("fovea.image.max_width", MAX_WIDTH)
    writer.add_uint32("fovea.image.max_height", MAX_HEIGHT)
    writer.add_bool("fovea.image.integer_shrink", True)
    writer.add_string("fovea.image.pad", "white")
    _write(writer, vision_tensors(vision, text), quant)


def file_names(type_name):
    """(text, vision)"""
    return f"fovea-tiny-{type_name}.gguf", f"mmproj-fovea-tiny-{type_name}.gguf"


def main():
    parser = parser_for(__doc__)
    parser.add_argument("--model", required=True, help="checkpoint from glue.py")
    parser.add_argument("--out", required=True, type=Path, help="folder for the files")
    parser.add_argument("--types", nargs="+", choices=FILE_TYPES, default=["f16"])
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    vision, text = model.load_vision(options.model), model.load_text(options.model)
    for type_name in options.types:
        text_path, vision_path = (options.out / name for name in file_names(type_name))
        write_text(text_path, text, type_name)
        write_vision(vision_path, vision, text, type_name)
        for path in (text_path, vision_path):
            print(f"{path.name}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
