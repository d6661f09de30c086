"""Paper: instructions in italics for a page on which nothing moves: what needs a mouse goes, questions stay."""

import re

ASKED = re.compile(r"```.*?```|`[^`]*`|(?<![*\w])\*(?![\s*])(?P<asked>[^*]{20,}?)(?<!\s)\*(?!\*)", re.S)
FIRST = r"^(Then |At last |And )?"
WORDS = (  # in this order
    (r"\bBefore you play\b", "For"),
    (r",? (?:and|then) (?:play|step)\b[^:.?]*", ""),
    (r": play it\b", ""),
    (r"\band slide\b", "and take"),
    (r", (?:play|slide)\b", ", take"),
    (FIRST + r"(?:slide|play) (?=from|to\b)", "go "),
    (FIRST + r"switch (?=[^:]* (?:on|off):)", "with "),
    (FIRST + r"step through\b", "think through"),
    (FIRST + r"play it (?:very fast )?with\b", "take"),
    (FIRST + r"play (?=(?!it\b|on\b|again))", "take "),
    (FIRST + r"(?:set|slide|drag|move|turn|choose|pick)\b(?! along| to your)", "take"),
)
DONE = re.compile(FIRST + r"(?:play|press|step|point|click|reset|tick|flip)\b", re.I)  # with a mouse, and no more


def worded(text):
    """Markdown, its italic instructions as they can be followed on paper; those of which nothing is left are gone."""
    return re.sub(r"\n{3,}", "\n\n", ASKED.sub(_said, text)).strip()


def _said(found):
    if not found["asked"]:
        return found[0]  # code
    sentences = [_sentence(one) for one in re.split(r"(?<=[.?!])\s+", " ".join(found["asked"].split()))]
    left = " ".join(filter(None, sentences))
    if not sentences[0]:
        left = re.sub("^Then (.)", lambda begun: begun[1].upper(), left)
    return f"*{left}*" if left else ""


def _sentence(text):
    """One sentence: "" where it only asks for a movement; what follows a colon is kept."""
    for pattern, words in WORDS:
        text = re.sub(pattern, (r"\1" if pattern.startswith(FIRST) else "") + words, text, flags=re.I)
    if DONE.match(text):
        text = text.partition(": ")[2] or ("" if text.endswith(".") else text)
    return text[:1].upper() + text[1:]
