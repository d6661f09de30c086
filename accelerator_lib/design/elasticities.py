"""Elasticities: percent of score for one percent of a knob, at one design.
    elasticity = d ln(score) / d ln(knob)          by a complex step through the laws (numbers.py)
A law that rounds up is a staircase: its slope is 0 on every step. So `smooth` puts max(x, 1) where the laws have
ceil(x), and `stepped` compares two designs 10 % below and above.
"""

from types import MappingProxyType

import numpy as np

from accelerator_lib.checks.signature import Number, Single, Switch, checked
from accelerator_lib.design.grid import judge, results
from accelerator_lib.design.machine import ADesign, Machine, machines
from accelerator_lib.design.merit import AMix
from accelerator_lib.design.merit import mix as mixed
from accelerator_lib.design.numbers import on_complex, on_numpy

NAMES = ("edge", "arrays", "SRAM", "stacks", "clock", "link")
KNOBS = MappingProxyType(dict(zip(Machine._fields, NAMES, strict=False)))
STEP, TINY = 0.1, 1e-20  # of a knob


@checked
def elasticities(design: ADesign, smooth: Switch = True, mix: AMix = None):
    """{knob: percent of score for one percent of it}; 0 for stacks where there are none. Memory is that of stacks."""
    moved = _knobs(design)[:, None] * (1 + TINY * 1j * np.eye(len(KNOBS)))  # a design for each knob that moves
    with np.errstate(divide="ignore", invalid="ignore"):  # a job that cannot run: its score is 0, and so is all slope
        merit = _score(moved, mixed(mix), _kind(design), on_complex(smooth)) + np.zeros(len(KNOBS))
        return _named(np.where(merit.real > 0, merit.imag / merit.real / TINY, 0.0))


@checked
def stepped(design: ADesign, mix: AMix = None, step: Single(Number(low=1e-3, high=0.9)) = STEP):
    """{knob: the same between two designs, one so much below, one so much above}, as built: whole folds and chips."""
    knobs, one = _knobs(design)[:, None], np.eye(len(KNOBS))
    below, above = (_score(knobs * (1 + way * one), mixed(mix), _kind(design), on_numpy()) for way in (-step, step))
    with np.errstate(divide="ignore", invalid="ignore"):
        return _named(np.log(above / below) / np.log((1 + step) / (1 - step)) + np.zeros(len(KNOBS)))


def _named(slopes):
    """{knob: its slope}; 0 where there is none."""
    return dict(zip(KNOBS, np.where(np.isfinite(slopes), slopes, 0.0).tolist(), strict=True))


def _knobs(design):
    return np.array([float(getattr(design, name)) for name in KNOBS])


def _kind(design):
    machine = design.machine()
    return design.node, machine.element_bytes, machine.cache_bytes


def _score(knobs, weights, kind, on, array=np.asarray):
    node, element, cached = kind
    machine = machines(*knobs, node=node)._replace(element_bytes=element, cache_bytes=cached)
    return judge(machine, results(machine, tuple(weights), on, np.ndim(knobs[0]), array), weights, 1e9, on)[1]
