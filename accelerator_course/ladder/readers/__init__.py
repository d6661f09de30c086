"""Readers: a kernel in CUDA C, Numba or Triton, in the course's notation; nothing of it is executed."""

import re
from importlib import import_module

from accelerator_lib.checks.signature import OneOf, checked
from accelerator_lib.kernels.language import LONGEST, Fault, said
from accelerator_lib.kernels.machine import Arguments

SIGNS = {"cuda": r"__global__|(?<!cuda\.)\b(?:threadIdx|blockIdx)\.", "triton": r"\btriton\.|\btl\.\w"}
SIGNS["numba"] = r"\bcuda\.\w"


def language_of(text):
    """The key in SIGNS of the language of a text, None for the course's own notation."""
    said = re.sub(r"#(?!\s*define)[^\n]*", "", text)
    return next((name for name, sign in SIGNS.items() if re.search(sign, said)), None)


@checked
def read(text, language: OneOf(SIGNS) = None, arguments: Arguments = None):
    """Pasted of a kernel's text, its language found where none is given; with arguments, by name, its own names become
    theirs: the same ones, or in order. Raises Fault, at a line of the text, for what is not read."""
    if not isinstance(text, str):
        raise TypeError(f"text: a kernel is text, not {type(text).__name__}")
    with said(text):
        if len(text) > LONGEST:
            raise Fault("budget", 1, f"a kernel has at most {LONGEST:,} letters, this one {len(text):,}")
        language = language or language_of(text)
        if language is None:
            raise Fault("language", 1, "this is no kernel in CUDA C, Numba or Triton: nothing in it says so")
        return import_module(f"{__name__}.from_{language}").read(text, arguments)
