"""The league: designs of the capstone as lines that anyone can copy, ranked by evaluating each anew; reports."""

from accelerator_course.league import capstone, reports
from accelerator_course.league.briefs import brief
from accelerator_course.league.capstone import judge
from accelerator_course.league.ranking import rank
from accelerator_course.league.reports import report
from accelerator_course.league.tokens import from_token, token

__all__ = ["brief", "capstone", "from_token", "judge", "rank", "report", "reports", "token"]
