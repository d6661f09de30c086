"""Questions without widgets: the bank in quizzes/*.yaml, drawn, graded, logged; keys call the library (keys.py)."""

from accelerator_course.quiz.token import Report, read_token
