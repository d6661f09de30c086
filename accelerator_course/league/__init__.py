"""The league: designs of the capstone as lines that anyone can copy, ranked by evaluating each anew; a report of one.

    python -m accelerator_course.league     rank what a class handed in; search a grid of designs

tokens       a design as one line        ranking    a table of lines, none of them believed
capstone     all that is to be said of one design
reports      a design on one page, with numbers for whoever asks why
"""

from accelerator_course.league import capstone, reports
from accelerator_course.league.ranking import rank
from accelerator_course.league.reports import report
from accelerator_course.league.tokens import from_token, token

__all__ = ["capstone", "from_token", "rank", "report", "reports", "token"]
