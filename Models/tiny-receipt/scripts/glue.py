"""Joins the halves: the projector learns to turn a cell's features into its character's embedding.

    python glue.py --vision vision.pt --text text.pt --out joint.pt
"""
import random

import torch

import model
from command_line import parser_for
from drawing import BLANK, CELL, CLASS_COUNT
from generate import make_example
from layout import GENERIC_PROMPTS
from train_text import (ANSWER_LIMIT, CELL_IDS, PREFIX, ROW_BREAK, generate_text, mean_scores,
                        prompt_ids, score)
from train_vision import make_batch, normalised

PAGES_PER_BATCH = 16
BLANK_SHARE = .2
"""The share of blank cells that the projector is fitted to; of the others, all are taken."""

RATE = 4e-3


@torch.no_grad()
def _collect_cells(vision, pages, seed):
    """Features and classes of the cells of random pages."""
    r, features, classes = random.Random(seed), [], []
    for _ in range(-(-pages // PAGES_PER_BATCH)):
        pixels, labels = make_batch(r, PAGES_PER_BATCH)
        cells, labels = vision.features(normalised(pixels)), torch.from_numpy(labels).flatten(1)
        keep = (labels != BLANK) | (torch.rand(labels.shape) < BLANK_SHARE)
        features.append(cells[keep])
        classes.append(labels[keep])
    return torch.cat(features), torch.cat(classes)


@torch.no_grad()
def _start_from_classifier(vision, features, classes, target):
    """Hidden unit c says "this is class c", and the output is that class's embedding."""
    logits = vision.classifier(features)
    top = logits.gather(1, classes[:, None]).median()
    other = logits.scatter(1, classes[:, None], -1e9).max(1).values.median()
    threshold = (top + other) / 2
    slope = 2 / (top - threshold)
    first, second = vision.projector_in, vision.projector_out
    first.weight[:CLASS_COUNT] = vision.classifier.weight * slope
    first.bias[:CLASS_COUNT] = (vision.classifier.bias - threshold) * slope
    second.weight[:, :CLASS_COUNT] = target.T / 2
    second.weight[:, CLASS_COUNT:] *= .1
    second.bias.zero_()


def fit_projector(vision, text, pages, steps, seed):
    """Fits the projector; prints how well. Returns the share of inked cells that come out nearest
    to their own embedding."""
    features, classes = _collect_cells(vision, pages, seed)
    target = text.embedding.weight.detach()[torch.from_numpy(CELL_IDS)]
    _start_from_classifier(vision, features, classes, target)
    parameters = [*vision.projector_in.parameters(), *vision.projector_out.parameters()]
    optimiser = torch.optim.AdamW(parameters, RATE, betas=(.9, .98), weight_decay=0)
    scale = target.std()
    for i in range(steps):
        optimiser.param_groups[0]["lr"] = RATE * min(1, (i + 1) / 20) * (1 - i / steps) + 1e-5
        k = torch.randint(0, len(features), (1024,))
        loss = ((vision.project(features[k]) - target[classes[k]]) / scale).pow(2).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    with torch.no_grad():
        sample = slice(0, 8000)
        nearest = torch.cdist(vision.project(features[sample]), target).argmin(1)
        ink = classes[sample] != BLANK
        right = (nearest == classes[sample])[ink].float().mean().item()
    print(f"projector: relative squared error {loss.item():.4f}, nearest embedding right "
          f"{right:.4f}", flush=True)
    return right


@torch.no_grad()
def read(vision, text, pixels, prompt=GENERIC_PROMPTS[0], limit=ANSWER_LIMIT):
    """The answer of the joined halves to one picture, uint8 [height, width]."""
    rows, columns = pixels.shape[0] // CELL, pixels.shape[1] // CELL
    cells = vision.project(vision.features(normalised(pixels[None]))).view(rows, columns, -1)
    breaks = text.embedding.weight[ROW_BREAK].expand(rows, 1, -1)
    image = torch.cat((cells, breaks), 1).flatten(0, 1)[None, :-1]
    before, after = (text.embedding(torch.tensor([ids])) for ids in (PREFIX, prompt_ids(prompt)))
    return generate_text(text, torch.cat((before, image, after), 1), limit)


def accuracy(vision, text, count, seed=4242):
    """`mean_scores` on drawn receipts with held-out words."""
    r, scores = random.Random(seed), []
    for _ in range(count):
        pixels, _, _, truth = make_example(r, held_out=True)
        scores.append(score(read(vision, text, pixels), truth))
    return mean_scores(scores)


def main():
    parser = parser_for(__doc__)
    parser.add_argument("--vision", required=True, help="checkpoint from train_vision.py")
    parser.add_argument("--text", required=True, help="checkpoint from train_text.py or average.py")
    parser.add_argument("--out", required=True, help="the checkpoint to write, with both halves")
    parser.add_argument("--pages", type=int, default=240, help="pages to fit the projector to")
    parser.add_argument("--steps", type=int, default=1500, help="steps of the fit")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--test-count", type=int, default=50, metavar="N",
                        help="held-out receipts to measure at the end")
    parser.add_argument("--must-name", type=float, metavar="SHARE",
                        help="fail unless this share of inked cells gets its nearest embedding")
    parser.add_argument("--must-read", type=float, metavar="SHARE",
                        help="fail unless this share of whole answers is right")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    vision, text = model.load_vision(options.vision), model.load_text(options.text)
    named = fit_projector(vision, text, options.pages, options.steps, options.seed)
    model.save(options.out, vision=vision, text=text)
    scores = accuracy(vision, text, options.test_count)
    print("held-out", scores)
    if options.must_name and named < options.must_name:
        raise SystemExit(f"only {named:.3f} of the inked cells are named right")
    if options.must_read and scores["all"] < options.must_read:
        raise SystemExit(f"only {scores['all']:.3f} of the whole answers are right")


if __name__ == "__main__":
    main()
