"""Numerals: what numbers a text states, and whether they print what was computed."""

import ast
import re

import numpy as np

OTHERS = r"“[^”]*”"  # somebody's words, which the text then corrects
FORMULAS = OTHERS + r"|```.*?```|``[^`]*``|`[^`]*`|\$\$.*?\$\$|\$[^$\n]+\$|\]\([^)]*\)|<[^>]+>|https?://\S+"
PARTS = (
    "chapters?|ch\\.|parts?|steps?|questions?|sections?|tables?|figures?|equations?|pages?|exercises?|panels?|slides?|"
    "rungs?|versions?|generations?|levels?|cycle 1|Llama|GPT|PCIe|NVLink|TPU|CUDA|Pascal|Gemma|Mixtral|Gemini|Ethos|LPDDR"
)
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
NAMES = re.compile(  # parts of the course and of documents, products, versions, dates, the time a part takes
    rf"\b(?:{PARTS})\s\d+(?:\.\d+)?(?:(?:, | and | or | to |–|-)\d+(?:\.\d+)?)*\b|^\s*\d+\.\s|\d+\.\d+\.\d+"
    rf"|^#+ \d+b?(?:\.D?\d+)? ·|\(\d+\)|(?<=[\w*)\}}\]])\s[-+−]\s\d+\b|\b(?:{MONTHS})\s\d+|\b(?:19[4-9]|20[0-4])\d\b(?!\s?(?:%|[pnµmkMGTP]?i?(?:B|s|W|J|Hz|FLOP)\b|bytes|rows|tokens|columns|lines|cycles))"
    r"|\b\d+(?:[ -]|\sto\s\d+\s)minutes?\b|\b\d+D\b|\b\d+(?: more)? for (?:the exercise|its kernels|the project|what goes deeper)\b",
    re.MULTILINE | re.IGNORECASE,
)
RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
NUMERAL = re.compile(  # not within a word, so not H100, fp16, A-100 or ResNet-50
    r"(?<![\w.,/^])(?<![A-Za-z]-)(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?P<below>/\d+)?(?P<raised>[⁻⁰¹²³⁴-⁹]+)?"
    r"(?=[^\w]|x\b|[kMGTP]?i?B\b|$)"
)
PREFIX = {"p": 1e-12, "n": 1e-9, "µ": 1e-6, "m": 1e-3, "k": 1e3, "K": 2**10, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
PREFIX |= {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "million": 1e6, "billion": 1e9, "thousand": 1e3}
UNIT = re.compile(
    r"[\s-]?(?:(?P<share>%|per\s?cent)|(?P<word>million|billion|thousand)|(?P<prefix>[pnµmkKMGTP]i?)(?:B|s|b|W|J|Hz|FLOP|OP|TOPS)\b|[MGTP](?=OPS))"
)
JOINS = re.compile(r"\s*(?:,|–|-|,?\s(?:to|and|or|against|instead of|of|not))\s*$")


def numerals(text):
    """[(start, end, number, decimals, scale)] of what a text states; scale is that of the unit behind, 1 where none."""
    plain = NAMES.sub(blank, re.sub(FORMULAS, blank, text, flags=re.DOTALL))
    found = []
    for match in NUMERAL.finditer(plain):
        digits = match["digits"].replace(",", "")
        value, decimals = float(digits), len(digits.partition(".")[2])
        if match["below"]:
            value, decimals = value / float(match["below"][1:]), 9
        if match["raised"] and digits == "10":
            value = 10.0 ** int(match["raised"].translate(RAISED))
        unit = UNIT.match(plain, match.end())
        factor = 1.0
        if unit:
            factor = 0.01 if unit["share"] else PREFIX.get(unit["word"] or unit["prefix"] or unit[0].strip(), 1.0)
        found.append([match.start(), match.end(), value, decimals, factor])
    for one, after in zip(found[-2::-1], found[:0:-1], strict=True):  # "0.4 to 0.8 TB/s"
        if one[4] == 1 and JOINS.fullmatch(plain[one[1] : after[0]]):
            one[4] = after[4]
    return [tuple(one) for one in found]


def blank(match):
    return re.sub(r"\S", " ", match[0])


def agrees(shown, computed, within=0.0):
    """Whether a numeral of a text prints what was computed."""
    _, _, value, decimals, factor = shown
    if isinstance(computed, (bool, np.bool_)):
        return bool(computed)
    computed = float(computed)
    slack = max(0.5000001 * 10.0**-decimals, within * abs(value), 1e-9 * abs(value))
    return any(abs(computed / scale - value) <= slack for scale in {1.0, factor})


def prose(source):
    """The words that a code cell shows: its strings that hold a space, and the numbers its code computes with."""
    words, constants = [], set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant):
            if isinstance(node.value, str) and " " in node.value.strip():
                words.append(re.sub(r"\{[^}]*\}", "{}", node.value))
            elif isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
                constants.add(float(node.value))
    return "\n".join(words), constants


def places(quotation, text):
    """Where a text says something; its line breaks do not matter."""
    pattern = r"\s+".join(map(re.escape, quotation.split()))
    return [match.span() for match in re.finditer(pattern, text)]
