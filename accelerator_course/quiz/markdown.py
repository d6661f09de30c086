"""Question text is Markdown, inert on the page: no tags, no pictures, links to http(s) and files of the course only."""

import re
from functools import cache
from html import unescape


def html(text):
    """Markdown as HTML; a single paragraph comes without its <p>, so that it fits into a label or a line."""
    page = _markdown()(text).strip()
    single = re.fullmatch(r"<p>((?:(?!</?p>).)*)</p>", page, re.DOTALL)
    return single[1] if single else page


def plain(text):
    """Markdown as text without marks: for print and for formats that know none."""
    return words(html(text))


def words(page):
    """The text of HTML that `html` made."""
    return unescape(re.sub(r"<[^>]+>", "", page)).strip()


@cache
def _markdown():
    import mistune

    class Inert(mistune.HTMLRenderer):
        def image(self, text, url, title=None):
            return text

        def link(self, text, url, title=None):
            if re.match(r"(https?://|[\w./-]+\.ipynb(#|$)|#)", url):
                return f'<a href="{mistune.escape(url)}" rel="noopener noreferrer" target="_blank">{text}</a>'
            return text

    return mistune.create_markdown(escape=True, renderer=Inert(escape=True))
