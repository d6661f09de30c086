"""Loop nests: what one moves, all the ways to write one, what each costs, and searches for a good one.

walk      a nest step by step, with the tiles that lie in each buffer       traffic   its words, in closed form
mapspace  how many mappings a product has, and how many fit                 joules    the energy of one
search    four ways to look for a good one
"""

from accelerator_lib.codesign.mapspace import best, joules, mapspace, spread, table, within
from accelerator_lib.codesign.nest import ORDERS, Traffic, levels, tile_words, traffic
from accelerator_lib.codesign.race import race
from accelerator_lib.codesign.search import STRATEGIES, better, climb, search
from accelerator_lib.codesign.walking import thin, walk

__all__ = [
    "ORDERS",
    "STRATEGIES",
    "Traffic",
    "best",
    "better",
    "climb",
    "joules",
    "levels",
    "mapspace",
    "race",
    "search",
    "spread",
    "table",
    "thin",
    "tile_words",
    "traffic",
    "walk",
    "within",
]
