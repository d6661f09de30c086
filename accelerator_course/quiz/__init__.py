"""Questions without widgets: the bank in quizzes/*.yaml, drawing, grading, and a log of what was answered.

The key of every item is a call into the library (keys.py), so a corrected model corrects its questions.
"""

from accelerator_course.quiz.token import Report, read_token

__all__ = ["Report", "read_token"]
