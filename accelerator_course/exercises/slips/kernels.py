"""Slips of the exercises of chapter 15."""


def always_one(width, across):
    """You add one word to every row. That is right for one column and an even width. A patch may need more words."""
    return 1


def never(width, across):
    """You add nothing. Then the rows of a patch begin in the same bank wherever the width is a multiple of 32."""
    return 0


def up_to_odd(width, across):
    """You make the rows odd. That is right for one column, but two rows of a patch may still meet in a bank."""
    return 1 - width % 2


def as_wide_as_the_patch(width, across):
    """You add a patch's width always. Rows that are not a multiple of 32 may need less, more or nothing."""
    return across % 32
