"""Draws synthetic fixed-pitch receipts together with their truth.

    python generate.py --count 200 --seed 777 --held-out-words --out receipts

writes 000.png, 000.json, 001.png and so on; the same seed gives the same receipts.
"""
import random
from pathlib import Path

from PIL import Image

from command_line import parser_for
from drawing import grid_labels, make_geometry, render
from layout import FULL, MAX_ITEMS, make_receipt, to_json


def make_example(r, held_out=False, level=FULL, items=None):
    """One receipt: (pixels uint8 [height, width], labels of the cells, lines, truth)."""
    lines, truth, columns = make_receipt(r, held_out, level, items)
    geometry = make_geometry(r, lines, columns)
    size = geometry.rows, geometry.columns
    pixels = render(r, lines, geometry, *size)
    return pixels, grid_labels(lines, geometry, *size), lines, truth


def cut_border(r, pixels):
    """Cuts 1 to 9 px of the blank right and lower border: sides that are no multiples of 16."""
    return pixels[:pixels.shape[0] - r.randint(1, 9), :pixels.shape[1] - r.randint(1, 9)]


def main():
    parser = parser_for(__doc__)
    parser.add_argument("--out", required=True, type=Path, help="folder for pictures and truths")
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--items", type=int, choices=range(1, MAX_ITEMS + 1),
                        help="number of items (default: 1 to 4 at random)")
    parser.add_argument("--held-out-words", action="store_true",
                        help="use the words of the tests, which training never sees")
    parser.add_argument("--odd-sizes", action="store_true",
                        help="cut the border so that the sides are no multiples of 16")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    r = random.Random(options.seed)
    for number in range(options.count):
        pixels, _, _, truth = make_example(r, options.held_out_words, items=options.items)
        if options.odd_sizes:
            pixels = cut_border(r, pixels)
        Image.fromarray(pixels).convert("RGB").save(options.out / f"{number:03d}.png")
        (options.out / f"{number:03d}.json").write_text(to_json(truth) + "\n")


if __name__ == "__main__":
    main()
