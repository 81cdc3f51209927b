"""Words on the receipts: dictionary words, pseudo-words and which characters look alike."""

VENDOR_WORDS = """
ACME SUNNY CORNER BLUE RIVER GOLDEN MARKET STORE SHOP CAFE BAKERY DELI GRILL KITCHEN HOUSE GARDEN
CITY TOWN NORTH SOUTH EAST WEST GREEN RED SILVER FRESH DAILY QUICK HAPPY URBAN MOUNTAIN LAKE OCEAN
HARBOR VILLAGE STATION PLAZA CENTRAL ROYAL GRAND PIZZA BURGER SUSHI NOODLE TACO COFFEE TEA BOOKS
PHARMACY HARDWARE GROCERY FOODS PANTRY ORGANIC FARM VALLEY HILL BRIDGE OAK PINE MAPLE CEDAR LION
EAGLE BEAR FOX WOLF STAR MOON SKY CLOUD RAIN STONE IRON COPPER VILLA DOLLAR JAZZ BUZZ SOCCER HAMMER
SUMMER COMMON DINNER OTTER COTTON BOTTLE KETTLE BUFFET JOGGER ARROW DRESS GLASS SWISS BELL QUEEN
QUILT QUIET SQUARE QUOTA SQUID QUEST QUICKLY AQUA OPAQUE EQUAL LIQUID
""".split()
ITEM_WORDS = """
COFFEE TEA LATTE MOCHA BAGEL MUFFIN COOKIE BREAD MILK EGGS BUTTER CHEESE APPLE BANANA ORANGE GRAPES
SOUP SALAD PASTA RICE BEANS CORN FRIES SODA WATER JUICE WINE BEER CAKE PIE DONUT CHIPS NUTS HONEY
JAM SUGAR SALT FLOUR OATS YOGURT HAM TURKEY BEEF FISH TOFU WRAP TACO SOAP PAPER PEN BAG BATTERY TAPE
SPONGE GLASS CROISSANT ROLL BROCCOLI LETTUCE COOKED ROOT SEED TOFFEE NUGGET CARROT CHERRY CURRY
BERRY PUDDING CHEDDAR CABBAGE RAVIOLI GRISSINI CASSATA MASSAMAN ESSENCE POSSET QUICHE SQUASH QUINCE
QUAIL SQUID LIQUOR COQUE
""".split()

# Only tests use these; training never sees them.
HELD_OUT_VENDOR_WORDS = """
ZEBRA QUARTZ MEADOW JUNGLE VELVET FALCON ORCHID PEPPER COBALT WILLOW TIMBER LAGOON BAZAAR EMPORIUM
BISTRO TAVERN OUTLET DEPOT PARLOR KIOSK GALAXY COMET BREEZE CANYON DELTA JASMINE ONYX PRAIRIE RUSTIC
SAFARI TUNDRA UMBRA VORTEX WHARF YONDER ZEPHYR
""".split()
HELD_OUT_ITEM_WORDS = """
ESPRESSO WAFFLE MANGO PEACH KALE QUINOA SALMON SHRIMP TORTILLA PRETZEL GELATO SYRUP CELERY RADISH
LENTIL CUMIN VANILLA CANDLE LIGHTER NAPKIN BRUSH ZUCCHINI FUDGE KEBAB
""".split()

ADJECTIVES = "BIG HOT ICED RAW DRY MINI RED OLD NEW XL".split()

_ALIKE_GROUPS = (
    "QO0DCG I1TLJ FEPR B8R S5 Z27 G6C &8 UV MNW HN KX VY 3B8 9PG ., -=".split())
ALIKE = {
    c: sorted({other for group in _ALIKE_GROUPS if c in group for other in group} - {c})
    for c in sorted(set("".join(_ALIKE_GROUPS)))
}
"""For each character, those it is easily mistaken for at this size."""

_PLAIN_LETTERS = "BCDFGHJKLMNPQRSTVWXYZ", "AEIOU"
_ALIKE_LETTERS = "QDCGTLJFPRBSZNMKHQ", "OOUEIA"


def plain_pseudo_word(r, low=3, high=8):
    """A word of `low` to `high` random letters, vowels and consonants mostly in turn."""
    length, word, consonant = r.randint(low, high), "", r.random() < .5
    consonants, vowels = _PLAIN_LETTERS
    while len(word) < length:
        word += r.choice(consonants if consonant else vowels)
        consonant = not consonant if r.random() < .85 else consonant
    return word


def training_pseudo_word(r, low=3, high=8):
    """Like `plain_pseudo_word`, but look-alike letters and doubled letters are frequent."""
    consonants, vowels = _ALIKE_LETTERS if r.random() < .4 else _PLAIN_LETTERS
    length, word, consonant = r.randint(low, high), "", r.random() < .5
    while len(word) < length:
        word += r.choice(consonants if consonant else vowels)
        if r.random() < .09:
            word += word[-1]
        consonant = not consonant if r.random() < .85 else consonant
    return word[:length]


class Words:
    """A source of words for one receipt: half of them from the dictionary, half pseudo-words."""

    def __init__(self, r, held_out):
        self.r = r
        self.held_out = held_out
        self.vendors = HELD_OUT_VENDOR_WORDS if held_out else VENDOR_WORDS
        self.items = HELD_OUT_ITEM_WORDS if held_out else ITEM_WORDS

    def pseudo(self, low=3, high=8):
        """A word that is in no dictionary."""
        make = plain_pseudo_word if self.held_out else training_pseudo_word
        return make(self.r, low, high)

    def vendor(self):
        """A word for a shop's name or street."""
        return self.r.choice(self.vendors) if self.r.random() < .5 else self.pseudo()

    def item(self):
        """A word for goods."""
        return self.r.choice(self.items) if self.r.random() < .5 else self.pseudo()
