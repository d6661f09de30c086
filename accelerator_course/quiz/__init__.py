"""Questions without widgets: the bank in quizzes/*.yaml, drawing, grading, and a log of what was answered.

    bank.load("roofline")          the chapter's predictions and items, checked
    draw.question(item, seed)      one item with its numbers drawn and its options shuffled
    grade.answer(question, given)  a verdict with the reason
    progress.record({...})         append to the learner's log; standing.py computes from it where the learner stands
    read_token(text)               scores by chapter from the tokens of learners
    python -m accelerator_course.quiz     export for other systems, sheets to print, validation of a bank of one's own

The key of every item is a call into the library (keys.py), so a corrected model corrects its questions.
"""

from accelerator_course.quiz.token import Report, read_token

__all__ = ["Report", "read_token"]
