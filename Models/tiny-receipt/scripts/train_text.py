"""Trains the text half, which reads "image tokens" and writes JSON, without any pixels.

Every cell of a page becomes the embedding of its character's own token, made noisy; glue.py later
teaches the vision half to produce these embeddings.

    python train_text.py --level -1 --minutes 6 --out words.pt
    python train_text.py --level 0 --minutes 15 --init words.pt --out tiny.pt

and so on up to level 2. Last, for a short while, --keys-count: keys that a grammar would force
count in the loss too, and some are spelled out, so that whole keys outrank their first letters.
"""
import json
import random
import re

import numpy as np
import torch
import torch.nn.functional as F

import model
import tokenizer
import trainer
from command_line import parser_for
from drawing import BLANK, grid_labels, make_geometry
from layout import (CHARS, FULL, GENERIC_PROMPTS, KEYS, MEDIUM, TINY, WORDS_ONLY, make_receipt,
                    random_keys, random_prompt, to_json, transcript)
from words import ALIKE

CELL_IDS = np.array([tokenizer.ID["<|blank|>"], *map(tokenizer.char_id, CHARS)])
"""The token that stands for each class of a cell."""

ROW_BREAK, IMAGE_END, PAD, STOP = (
    tokenizer.ID[token] for token in ("[IMG_BREAK]", "[IMG_END]", "<|pad|>", "<|im_end|>"))
PREFIX = tokenizer.encode("<|im_start|>user\n")
KEY_IDS = {tokenizer.ID[key] for key in KEYS}
ALIKE_IDS = {tokenizer.char_id(char): [tokenizer.char_id(other) for other in others]
             for char, others in ALIKE.items()}
INK_IDS = CELL_IDS[2:].tolist()
MISREADINGS = {a: b for pair in ("O0", "I1", "S5", "B8", "Z2", "G6") for a, b in (pair, pair[::-1])}
ANSWER_LIMIT = 220


def image_ids(labels):
    """One token for each cell and a break after each row but the last."""
    rows, columns = labels.shape
    ids = np.full((rows, columns + 1), ROW_BREAK)
    ids[:, :columns] = CELL_IDS[labels]
    return ids.reshape(-1)[:-1]


def prompt_ids(prompt):
    """Everything between the image and the answer."""
    return [IMAGE_END] + tokenizer.encode(prompt + "<|im_end|>\n<|im_start|>assistant\n")


def _with_spaces(text):
    return re.sub(r'(":|,)(?=["\[{0-9])', r"\1 ", text)


def _encode_in_pieces(r, text):
    """Tokens of a text that is cut at key boundaries at random, each piece encoded alone.

    So come the tokens when a caller forces the keys.
    """
    ids, piece = [], ""
    for part in re.split(r'(?<=":)|(?<=",)|(?<=\],)|(?=")(?<=[0-9],)', text):
        piece += part
        if r.random() < .5:
            ids, piece = ids + tokenizer.encode(piece), ""
    return ids + tokenizer.encode(piece)


def _spelled_out(ids):
    """Whole-key tokens replaced by their letters."""
    return [part for i in ids for part in (tokenizer.letters_of(i) if i in KEY_IDS else [i])]


class Task:
    """What is asked of the text half, and how often."""

    def __init__(self, r, level, transcribe_share, keys_count):
        self.r, self.level = r, level
        self.transcribe_share, self.keys_count = transcribe_share, keys_count

    def _answer(self, lines, truth):
        """(prompt ids, answer ids, which of the answer's ids count in the loss)"""
        r = self.r
        if truth is None or r.random() < self.transcribe_share:
            answer = tokenizer.encode(transcript(lines)) + [STOP]
            return prompt_ids("Transcribe."), answer, [True] * len(answer)
        kind, forced = r.random(), False
        if kind < .4:
            prompt, keys = r.choice(GENERIC_PROMPTS), KEYS
        elif kind < .66:
            prompt, keys = random_prompt(r)
        else:
            # A caller gives the keys, any in any order, whatever the prompt says.
            forced = True
            generic = r.random() < .6
            prompt = r.choice(GENERIC_PROMPTS) if generic else random_prompt(r)[0]
            keys = random_keys(r)
            keys = r.sample(keys, len(keys)) if r.random() < .5 else keys
        text = to_json(truth, keys)
        if r.random() < .2:
            text = _with_spaces(text)
        in_pieces = forced and r.random() < .4
        answer = (_encode_in_pieces(r, text) if in_pieces else tokenizer.encode(text)) + [STOP]
        if not self.keys_count:
            return prompt_ids(prompt), answer, [not (forced and i in KEY_IDS) for i in answer]
        if forced and r.random() < .2:
            answer = _spelled_out(answer)
        return prompt_ids(prompt), answer, [True] * len(answer)

    def sample(self):
        """(ids before the answer, answer ids, which of them count, number of image tokens)"""
        r = self.r
        lines, truth, columns = make_receipt(r, level=self.level)
        geometry = make_geometry(r, lines, columns)
        labels = grid_labels(lines, geometry, geometry.rows, geometry.columns)
        image = image_ids(labels)
        prompt, answer, counts = self._answer(lines, truth)
        if self.level == FULL and r.random() < .5:
            _misread(r, labels, image)
        return [*PREFIX, *image, *prompt], answer, counts, len(image)


def _misread(r, labels, image):
    """Swaps a few digits and letters, as a reader can undo from the context."""
    columns = labels.shape[1]
    for cell in np.flatnonzero(labels > 1):
        char = CHARS[labels.flat[cell] - 1]
        if char in MISREADINGS and r.random() < .01:
            place = cell // columns * (columns + 1) + cell % columns
            image[place] = tokenizer.char_id(MISREADINGS[char])


class Batches:
    """Batches of samples of like length, with noise for the image cells."""

    POOL = 8
    """Batches that are sorted by length together."""

    def __init__(self, task, size, noisy_share, noise):
        self.task, self.size, self.r = task, size, task.r
        self.noisy_share, self.noise = noisy_share, noise
        self.ready = []

    def next(self):
        """(ids, which count in the loss, look-alike ids, how much of them, which are cells)"""
        if not self.ready:
            samples = [self.task.sample() for _ in range(self.size * self.POOL)]
            samples.sort(key=lambda sample: len(sample[0]) + len(sample[1]))
            self.ready = [samples[i:i + self.size] for i in range(0, len(samples), self.size)]
            self.r.shuffle(self.ready)
        samples = self.ready.pop()
        random_state = np.random.RandomState(self.r.randrange(1 << 30))
        shape = self.size, max(len(before) + len(answer) for before, answer, _, _ in samples)
        ids, mask = np.full(shape, PAD), np.zeros(shape, bool)
        share, cell = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        other = ids.copy()
        for i, (before, answer, counts, image_length) in enumerate(samples):
            end = len(before) + len(answer)
            ids[i, :end] = before + answer
            mask[i, len(before) - 1:end - 1] = counts
            image = slice(len(PREFIX), len(PREFIX) + image_length)
            cell[i, image] = ids[i, image] != ROW_BREAK
            self._blur(random_state, ids[i, image], other[i, image], share[i, image])
        return tuple(map(torch.from_numpy, (ids, mask, other, share, cell)))

    def _blur(self, random_state, image, other, share):
        """Chooses for some cells another character and how much of it is mixed in."""
        for j in np.flatnonzero(random_state.rand(len(image)) < self.noisy_share):
            blank = image[j] == CELL_IDS[BLANK]
            if image[j] == ROW_BREAK or (blank and random_state.rand() > .2):
                continue
            alike = ALIKE_IDS.get(int(image[j]))
            choices = alike if alike and random_state.rand() < .8 else INK_IDS
            other[j] = choices[random_state.randint(len(choices))]
            share[j] = random_state.uniform(0, self.noise)


def noisy_embeddings(text, ids, other, share, cell, deviation=.15):
    """Embeddings of `ids`, with `share` of those of `other` and some Gaussian noise in cells."""
    embeddings = text.embedding(ids)
    embeddings = embeddings + share[..., None] * (text.embedding(other) - embeddings)
    noise = text.embedding.weight.detach().std() * torch.randn_like(embeddings)
    return embeddings + (cell * deviation)[..., None] * noise


@torch.no_grad()
def generate_text(text, before, limit=ANSWER_LIMIT):
    """The greedy answer after `before`, embeddings [1, t, width]."""
    cache, offset, answer = [{} for _ in text.blocks], before.shape[1], []
    logits = text(before, cache=cache)[:, -1]
    while len(answer) < limit:
        token = int(logits.argmax())
        if token == STOP:
            break
        answer.append(token)
        logits = text(torch.tensor([[token]]), cache=cache, offset=offset)[:, -1]
        offset += 1
    return tokenizer.decode(answer)


def score(answer, truth):
    """Which keys are right, and "all": whether the whole text is."""
    wanted = to_json(truth)
    try:
        got = json.loads(answer, parse_float=str, parse_int=str)
    except ValueError:
        got = None
    got = got if isinstance(got, dict) else {}
    want = json.loads(wanted, parse_float=str, parse_int=str)
    return {**{key: got.get(key) == want[key] for key in KEYS}, "all": answer == wanted}


def mean_scores(scores):
    """The share of right answers for each key of `score`."""
    return {key: round(sum(s[key] for s in scores) / len(scores), 3) for key in scores[0]}


def accuracy(text, count, level, seed=999):
    """`mean_scores` on held-out words and clean cells."""
    r, scores = random.Random(seed), []
    for _ in range(count):
        lines, truth, columns = make_receipt(r, held_out=True, level=max(level, TINY))
        geometry = make_geometry(r, lines, columns)
        labels = grid_labels(lines, geometry, geometry.rows, geometry.columns)
        before = [*PREFIX, *image_ids(labels), *prompt_ids(GENERIC_PROMPTS[0])]
        scores.append(score(generate_text(text, text.embedding(torch.tensor([before]))), truth))
    return mean_scores(scores)


def main():
    parser = parser_for(__doc__)
    trainer.add_options(parser, seed=1, batch=16)
    parser.add_argument("--level", type=int, default=FULL,
                        choices=(WORDS_ONLY, TINY, MEDIUM, FULL), help="how hard the receipts are")
    parser.add_argument("--keys-count", action="store_true",
                        help="forced keys count in the loss, some of them spelled out")
    parser.add_argument("--transcribe-share", type=float, default=.06, metavar="SHARE",
                        help="share of samples that ask for the plain text instead of JSON")
    parser.add_argument("--noisy-share", type=float, default=.12, metavar="SHARE",
                        help="share of cells that get some of another character")
    parser.add_argument("--noise", type=float, default=.4, metavar="SHARE",
                        help="how much of another character a noisy cell gets at most")
    parser.add_argument("--hold", type=float, default=.3, metavar="SHARE",
                        help="the rates begin to fall after this part of the way")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    text = model.load_text(options.init) if options.init else model.new_text()
    task = Task(random.Random(options.seed), options.level, options.transcribe_share,
                options.keys_count)
    batches = Batches(task, options.batch, options.noisy_share, options.noise)

    def next_loss():
        ids, mask, *noise = batches.next()
        hidden = noisy_embeddings(text, ids[:, :-1], *(part[:, :-1] for part in noise))
        chosen = mask[:, :-1]
        logits, want = text(hidden, select=chosen), ids[:, 1:][chosen]
        return F.cross_entropy(logits, want), (logits.argmax(-1) == want).float().mean().item()

    trainer.run(options, text, "text", next_loss, lambda n: accuracy(text, n, options.level),
                options.hold)


if __name__ == "__main__":
    main()
