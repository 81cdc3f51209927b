"""Trains the vision half to name the character in every 16 x 16 px cell.

The labels are free, since the pages are drawn.

    python train_vision.py --minutes 60 --out vision.pt
"""
import random

import numpy as np
import torch
import torch.nn.functional as F

import model
import trainer
from command_line import parser_for
from drawing import BLANK, CLASS_COUNT, grid_labels, make_geometry, render
from layout import make_dense_page, make_receipt

BLANK_WEIGHT = .3
"""Blank cells are easy and many, so they count less in the loss."""


def normalised(pixels):
    """uint8 -> -1..1."""
    return (torch.from_numpy(pixels).float() / 255 - .5) / .5


def _whiten_edges(r, page):
    """Now and then, as when a caller pads an image with white to multiples of 16."""
    if r.random() < .25:
        bottom, right = r.randint(1, 11), r.randint(1, 11)
        if r.random() < .7:
            page[-bottom:] = 255
        if r.random() < .7:
            page[:, -right:] = 255


def make_batch(r, count, held_out=False, dense_share=0.0):
    """Pixels uint8 [count, height, width] and labels [count, rows, columns].

    Smaller pages get more blank paper, until all are as large as the largest.
    """
    pages = []
    for _ in range(count):
        if r.random() < dense_share:
            lines, _, columns = make_dense_page(r)
        else:
            lines, _, columns = make_receipt(r, held_out)
        pages.append((lines, make_geometry(r, lines, columns)))
    rows = max(geometry.rows for _, geometry in pages)
    columns = max(geometry.columns for _, geometry in pages)
    pixels = np.stack([render(r, *page, rows, columns) for page in pages])
    if not held_out:
        for page in pixels:
            _whiten_edges(r, page)
    return pixels, np.stack([grid_labels(*page, rows, columns) for page in pages])


@torch.no_grad()
def accuracy(vision, count, seed=77):
    """Shares of inked cells, blank cells and whole pages named right, on held-out words."""
    pixels, labels = make_batch(random.Random(seed), count, held_out=True)
    want = torch.from_numpy(labels).flatten(1)
    got = torch.cat([vision.classifier(vision.features(normalised(pixels[i:i + 16])))
                     for i in range(0, count, 16)]).argmax(-1)
    right, ink = got == want, want != BLANK
    shares = {"ink": right[ink], "blank": right[~ink], "pages": right.all(1)}
    return {name: round(share.float().mean().item(), 4) for name, share in shares.items()}


def main():
    parser = parser_for(__doc__)
    trainer.add_options(parser, seed=5, batch=16)
    parser.add_argument("--dense-share", type=float, default=.5, metavar="SHARE",
                        help="share of pages full of random words rich in look-alikes")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    vision = model.load_vision(options.init) if options.init else model.new_vision()
    r = random.Random(options.seed)
    weight = torch.ones(CLASS_COUNT)
    weight[BLANK] = BLANK_WEIGHT

    def next_loss():
        pixels, labels = make_batch(r, options.batch, dense_share=options.dense_share)
        want = torch.from_numpy(labels).flatten(1)
        logits = vision.classifier(vision.features(normalised(pixels)))
        loss = F.cross_entropy(logits.flatten(0, 1), want.flatten(), weight=weight)
        return loss, (logits.argmax(-1) == want)[want != BLANK].float().mean().item()

    trainer.run(options, vision, "vision", next_loss, lambda n: accuracy(vision, n), hold=.4)


if __name__ == "__main__":
    main()
