"""The pixels of a receipt and the label of every cell.

Every glyph sits in one cell of a 16 x 16 px grid, shifted by up to 3 px, scaled by up to 0.8 % and
turned by up to 0.35 degrees, so that one patch of the vision half sees one character.
"""
import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from layout import CHARS, MAX_COLUMNS, MAX_LINES

CELL = 16
"""Side of a grid cell in pixels."""

BLANK, SPACE = 0, 1
"""Classes of a cell without ink: anywhere, and as a single space inside a text."""

CLASS_OF = {char: number + 1 for number, char in enumerate(CHARS)}
CLASS_COUNT = len(CHARS) + 1

MAX_WIDTH = CELL * (MAX_COLUMNS + 2)
MAX_HEIGHT = CELL * (MAX_LINES + 2)
"""The largest receipt that is ever drawn, in pixels, with its margin of one cell on each side."""

# DejaVu Sans Mono is left out: at this size its Q differs from its O by three to five dark pixels.
FONT_FILES = [
    "LiberationMono-Regular.ttf",
    "LiberationMono-Bold.ttf",
    "JetBrainsMono-Medium.ttf",
    "FreeMonoBold.ttf",
]
FONT_SIZES = [18, 19, 20]
FONT_FOLDERS = ["/usr/share/fonts", "/usr/local/share/fonts", "~/.local/share/fonts",
                "~/Library/Fonts", "/Library/Fonts"]


@dataclass
class Geometry:
    """Where the glyphs of one receipt lie, in pixels."""

    pitch: float
    left: float
    top: float
    width: int
    height: int
    angle: float
    """In radians, around the middle."""

    @property
    def rows(self):
        """Grid rows that hold the whole receipt."""
        return -(-self.height // CELL)

    @property
    def columns(self):
        """Grid columns that hold the whole receipt."""
        return -(-self.width // CELL)

    def centre(self, line, column):
        """Middle of a character's place before turning."""
        return self.left + (column + .5) * self.pitch, self.top + (line + .5) * self.pitch

    def turned_centre(self, line, column):
        """Middle of a character's place after turning."""
        x, y = self.centre(line, column)
        middle_x, middle_y = self.width / 2, self.height / 2
        sin, cos = np.sin(self.angle), np.cos(self.angle)
        x, y = x - middle_x, y - middle_y
        return middle_x + cos * x - sin * y, middle_y + sin * x + cos * y


def make_geometry(r, lines, columns):
    """A slightly shifted, scaled and sometimes turned grid for a text."""
    scale, count = 1 + r.uniform(-.008, .008), len(lines)
    return Geometry(
        pitch=CELL * scale,
        left=CELL + r.uniform(-3, 3) - columns * CELL / 2 * (scale - 1),
        top=CELL + r.uniform(-3, 3) - count * CELL / 2 * (scale - 1),
        width=CELL * (columns + 2),
        height=CELL * (count + 2),
        angle=r.uniform(-.006, .006) if r.random() < .4 else 0.0,
    )


def grid_labels(lines, geometry, rows, columns):
    """int64 [rows, columns]: the class of the character whose middle lies in each cell.

    All characters of a line go to the same row, even where turning carries some across its border.
    """
    labels = np.zeros((rows, columns), np.int64)
    for number, line in enumerate(lines):
        centres = [geometry.turned_centre(number, i) for i in range(len(line))]
        heights = [y for char, (_, y) in zip(line, centres) if char != " "]
        if not heights:
            continue
        row = int(sum(heights) / len(heights) // CELL)
        if not 0 <= row < rows:
            continue
        for i, (char, (x, _)) in enumerate(zip(line, centres)):
            column = int(x // CELL)
            if not 0 <= column < columns:
                continue
            if char != " ":
                labels[row, column] = CLASS_OF[char]
            elif 0 < i < len(line) - 1 and line[i - 1] != " " and line[i + 1] != " ":
                labels[row, column] = SPACE
    return labels


@lru_cache(maxsize=None)
def font_paths():
    """The four font files; of two versions, the one in the folder that sorts last.

    They are looked for in `RECEIPT_FONTS` if that is set, else in the system's font folders.
    """
    named = os.environ.get("RECEIPT_FONTS")
    folders = [Path(f).expanduser() for f in ([named] if named else FONT_FOLDERS)]
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*.ttf")):
            found[path.name] = path
    missing = [name for name in FONT_FILES if name not in found]
    if missing:
        raise SystemExit(
            f"fonts not found: {', '.join(missing)}. Install the Debian packages fonts-liberation2 "
            "(or fonts-liberation), fonts-jetbrains-mono and fonts-freefont-ttf, or set "
            "RECEIPT_FONTS to a folder that holds the files.")
    return [found[name] for name in FONT_FILES]


@lru_cache(maxsize=None)
def _font(number, size):
    # The basic engine, since the other one is only there where its libraries are, and it places
    # some sizes one pixel further right.
    return ImageFont.truetype(str(font_paths()[number]), size, layout_engine=ImageFont.Layout.BASIC)


GLYPH_WIDTH, GLYPH_HEIGHT = 40, 44
GLYPH_CENTRE, GLYPH_BASELINE = 20, 30


@lru_cache(maxsize=None)
def glyph(font, size, char):
    """uint8 [GLYPH_HEIGHT, GLYPH_WIDTH], ink is 255."""
    image = Image.new("L", (GLYPH_WIDTH, GLYPH_HEIGHT), 0)
    ImageDraw.Draw(image).text(
        (GLYPH_CENTRE, GLYPH_BASELINE), char, font=_font(font, size), fill=255, anchor="ms")
    return np.asarray(image, np.uint8)


def _print_glyphs(lines, geometry, height, width, font, size):
    """uint8 [height, width], ink is 255; overlapping glyphs keep the darker pixel."""
    ink = np.zeros((height + 2 * GLYPH_HEIGHT, width + 2 * GLYPH_WIDTH), np.uint8)
    capital = int(round(size * .71))
    for number, line in enumerate(lines):
        for i, char in enumerate(line):
            if char == " ":
                continue
            x, y = geometry.centre(number, i)
            left = int(round(x)) - GLYPH_CENTRE + GLYPH_WIDTH
            top = int(round(y + capital / 2)) - GLYPH_BASELINE + GLYPH_HEIGHT
            place = ink[top:top + GLYPH_HEIGHT, left:left + GLYPH_WIDTH]
            np.maximum(place, glyph(font, size, char), out=place)
    return ink[GLYPH_HEIGHT:GLYPH_HEIGHT + height, GLYPH_WIDTH:GLYPH_WIDTH + width]


def _turn(image, geometry):
    x, y = geometry.width / 2, geometry.height / 2
    sin, cos = np.sin(geometry.angle), np.cos(geometry.angle)
    matrix = cos, sin, x - cos * x - sin * y, -sin, cos, y + sin * x - cos * y
    return image.transform(
        image.size, Image.Transform.AFFINE, matrix, resample=Image.Resampling.BICUBIC)


def _noise(r):
    return np.random.RandomState(r.randrange(1 << 30))


def _blacken_borders(r, page, geometry):
    """Black bars as an image runtime may pad with."""
    height, width = page.shape
    bar = r.randint(1, 7)
    if r.random() < .5:
        page[:min(bar, int(geometry.top) + 1)] = 0
        page[height - bar // 2 - 1:] = 0
    else:
        page[:, :min(bar, int(geometry.left) + 1)] = 0
        page[:, width - bar // 2 - 1:] = 0


def render(r, lines, geometry, rows, columns):
    """uint8 [rows * CELL, columns * CELL].

    Blur, fading, noise, uneven light and black borders come at random.
    """
    height, width = rows * CELL, columns * CELL
    font, size = r.randrange(len(FONT_FILES)), r.choice(FONT_SIZES)
    image = Image.fromarray(_print_glyphs(lines, geometry, height, width, font, size))
    if geometry.angle:
        image = _turn(image, geometry)
    if r.random() < .5:
        radius = r.uniform(.3, .65 if size < 19 else .8)
        image = image.filter(ImageFilter.GaussianBlur(radius))
    ink = np.asarray(image, np.float32) / 255
    paper, black = r.uniform(225, 255), r.uniform(0, 90)
    if r.random() < .3:
        faded_rows = _noise(r).rand(height, 1).astype(np.float32)
        ink = ink * (1 - .25 * faded_rows)
    page = paper - (paper - black) * ink
    if r.random() < .6:
        grain = _noise(r).standard_normal((height, width)).astype(np.float32)
        page = page + grain * r.uniform(2, 10)
    if r.random() < .3:
        page = page * (1 - r.uniform(0, .15) * np.linspace(0, 1, width, dtype=np.float32)[None])
    page = np.clip(page, 0, 255).astype(np.uint8)
    if r.random() < .25:
        _blacken_borders(r, page, geometry)
    return page
