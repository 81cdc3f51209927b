"""Draws the twelve example receipts and writes their truths; the same bytes each time.

    $(scripts/python-env)/bin/python Examples/receipts/generate.py           write them
    $(scripts/python-env)/bin/python Examples/receipts/generate.py --check   compare with the files
"""
import argparse
import random
import sys
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "Models" / "tiny-receipt" / "scripts"))

from drawing import MAX_WIDTH  # noqa: E402 (the line above says where it is)
from generate import cut_border, make_example  # noqa: E402
from layout import to_json  # noqa: E402

SEED = 2026
JPEG_QUALITY = 85
MAX_ENLARGEMENT = 10
EXIF_ORIENTATION = 0x0112


def encoded(image, kind, **options):
    """The bytes of a picture file."""
    buffer = BytesIO()
    image.save(buffer, kind, **options)
    return buffer.getvalue()


def plain(pixels, _):
    """An RGB PNG."""
    return encoded(Image.fromarray(pixels).convert("RGB"), "PNG", optimize=True)


def greyscale(pixels, _):
    """A PNG with a single channel."""
    return encoded(Image.fromarray(pixels), "PNG", optimize=True)


def palette(pixels, _):
    """A PNG whose pixels are numbers of 256 colours, here 256 greys."""
    return encoded(Image.fromarray(pixels).convert("P"), "PNG", optimize=True)


def jpeg(pixels, _):
    """A JPEG as a scanner app writes it."""
    return encoded(Image.fromarray(pixels).convert("RGB"), "JPEG", quality=JPEG_QUALITY)


def _turned_jpeg(pixels, stored, orientation):
    exif = Image.Exif()
    exif[EXIF_ORIENTATION] = orientation
    image = Image.fromarray(pixels).convert("RGB").transpose(stored)
    return encoded(image, "JPEG", quality=JPEG_QUALITY, exif=exif)


def turned_right(pixels, _):
    """A JPEG that is upright only after a turn to the right, as its orientation tag (6) says."""
    return _turned_jpeg(pixels, Image.Transpose.ROTATE_90, 6)


def turned_left(pixels, _):
    """A JPEG that is upright only after a turn to the left, as its orientation tag (8) says."""
    return _turned_jpeg(pixels, Image.Transpose.ROTATE_270, 8)


def odd_size(pixels, r):
    """A PNG whose sides are no multiples of 16."""
    return plain(cut_border(r, pixels), r)


def transparent(pixels, _):
    """A PNG of black ink on nothing: all pixels are black, only the alpha channel shows text."""
    paper, ink = float(np.median(pixels)), float(pixels.min())
    alpha = np.clip((paper - pixels) * 255 / (paper - ink), 0, 255).astype(np.uint8)
    image = np.zeros((*pixels.shape, 4), np.uint8)
    image[..., 3] = alpha
    return encoded(Image.fromarray(image), "PNG", optimize=True)


def large(pixels, _):
    """A PNG enlarged by a whole factor, the largest that shrinking to the widest receipt undoes."""
    width = pixels.shape[1]
    factor = max(k for k in range(1, MAX_ENLARGEMENT + 1) if (k - 1) * MAX_WIDTH < k * width)
    return plain(pixels.repeat(factor, 0).repeat(factor, 1), None)


RECEIPTS = [
    ("01-plain.png", 1, plain),
    ("02-two-items.png", 2, plain),
    ("03-three-items.png", 3, plain),
    ("04-four-items.png", 4, plain),
    ("05-rotated-exif.jpg", 2, turned_right),
    ("06-scan.jpg", 3, jpeg),
    ("07-odd-size.png", 1, odd_size),
    ("08-alpha.png", 2, transparent),
    ("09-greyscale.png", 3, greyscale),
    ("10-palette.png", 4, palette),
    ("11-large.png", 2, large),
    ("12-rotated-left.jpg", 4, turned_left),
]
"""Name, number of items and how the picture is stored."""


def all_files():
    """The content of every file, by name."""
    r, files = random.Random(SEED), {}
    for name, items, store in RECEIPTS:
        pixels, _, _, truth = make_example(r, held_out=True, items=items)
        files[name] = store(pixels, r)
        files[Path(name).stem + ".json"] = (to_json(truth) + "\n").encode()
    return files


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=HERE, help="another folder than this script's")
    parser.add_argument("--check", action="store_true", help="only compare; fail if a file differs")
    options = parser.parse_args()
    files = all_files()
    if not options.check:
        options.out.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (options.out / name).write_bytes(content)
        return
    there = {path.name: path.read_bytes() for path in options.out.iterdir()
             if path.suffix in (".png", ".jpg", ".json")}
    wrong = sorted(name for name in files.keys() | there.keys()
                   if files.get(name) != there.get(name))
    if wrong:
        sys.exit(f"not as generate.py draws them: {', '.join(wrong)}")
    print(f"{len(files)} files are as generate.py draws them")


if __name__ == "__main__":
    main()
