"""GPTQ: weights are rounded input by input, and those not yet rounded make up for each error.

    error      e = (w_j - round(w_j)) / U[j, j]
    others     w_rest = w_rest - e U[j, rest]           U^T U = inverse of (X^T X + damping)

The output X W is kept, not the weights: where inputs move together, a later weight can undo what an earlier one lost.
Where they do not, U is diagonal, and all is plain rounding. One scale for each output, from its largest weight.
Source: E. Frantar et al., "GPTQ: accurate post-training quantization for generative pre-trained transformers", 2023.
"""

from dataclasses import dataclass, replace

import numpy as np

from accelerator_lib.checks.inputs import affordable
from accelerator_lib.checks.signature import Count, Number, Share, Single, checked
from accelerator_lib.numerics.scales import ratio_db

DAMPING = 0.01  # of the mean of the diagonal, as the authors' default
MOST = 1024  # inputs, outputs
MOST_KEPT = 10**7  # weights of all states: 80 MB, ten seconds
INPUTS, OUTPUTS, SAMPLES, RANK, LOUD, TIMES = 64, 32, 1024, 16, 3, 20


@dataclass(frozen=True, eq=False)
class Rounded:
    """The weights [inputs, outputs] after `done` inputs were rounded; the others are still real numbers."""

    done: int
    first: np.ndarray  # before
    weights: np.ndarray  # now
    plain: np.ndarray  # all rounded to nearest, for comparison
    moment: np.ndarray  # X^T X: what the output's error is measured with
    steps: np.ndarray  # the step of each output's grid
    course: tuple = ()  # after each input: (weights, output) in dB

    # how far each weight is from where it began, in steps of its scale [inputs, outputs]
    moved = property(lambda self: (self.weights - self.first) / self.steps)
    weight_snr_db = property(lambda self: ratio_db(self.first, self.weights))
    output_snr_db = property(lambda self: self._output(self.weights))
    plain_weight_snr_db = property(lambda self: ratio_db(self.first, self.plain))
    plain_output_snr_db = property(lambda self: self._output(self.plain))

    def _output(self, weights):
        """From X^T X alone: the energy of X d is the trace of d^T X^T X d."""
        energy = [float(np.sum(d * (self.moment @ d))) for d in (self.first, weights - self.first)]
        return float(10 * np.log10(energy[0] / energy[1])) if min(energy) > 0 else float("inf")


Moderate = Number(low=-1e60, high=1e60, loose=True)  # the energy of an error, w² x², stays finite


@checked
def gptq_steps(w: Moderate, x: Moderate, bits: Count(2, 8) = 4):
    """Yield a Rounded before the first and after every input; w [inputs, outputs], x [samples, inputs]."""
    w, x = np.asarray(w, float), np.asarray(x, float)
    if w.ndim != 2 or x.ndim != 2 or w.shape[0] != x.shape[1] or not w.size or not x.size:
        raise ValueError(f"w is [inputs, outputs] and x [samples, inputs]; got {w.shape} and {x.shape}")
    if max(w.shape) > MOST:
        raise ValueError(f"at most {MOST:,} inputs and outputs; got {w.shape}")
    inputs, outputs = w.shape
    affordable("weights of all states", (inputs + 1) * inputs * outputs, MOST_KEPT, "the inputs or outputs of w")
    moment = x.T @ x
    damped = moment + np.eye(len(w)) * (DAMPING * np.trace(moment) / len(w) or 1.0)
    return _steps(w, moment, np.linalg.cholesky(np.linalg.inv(damped)).T, 2 ** (bits - 1) - 1)


def _steps(w, moment, upper, most):
    largest = np.abs(w).max(axis=0)
    step = np.where(largest > 0, largest, 1.0) / most

    def near(row):
        return np.clip(np.rint(row / step), -most, most) * step

    plain, now, course = near(w), w.copy(), ()
    yield Rounded(0, w, now.copy(), plain, moment, step)
    for j in range(len(w)):
        error = (now[j] - near(now[j])) / upper[j, j]
        now[j] = near(now[j])
        now[j + 1 :] -= np.outer(upper[j, j + 1 :], error)
        made = Rounded(j + 1, w, now.copy(), plain, moment, step)
        course = (*course, (made.weight_snr_db, made.output_snr_db))
        yield replace(made, course=course)


@checked
def example(correlation: Single(Share) = 0.9, seed: Count(0, 2**31) = 0):
    """(w [64, 32], x [1024, 64]): inputs that share 16 causes, each with noise of its own; three are 20 times as loud.
    `correlation` is the share of an input's energy that comes from the causes."""
    draw = np.random.default_rng(seed)
    causes = draw.standard_normal((SAMPLES, RANK)) @ draw.standard_normal((RANK, INPUTS)) / np.sqrt(RANK)
    x = np.sqrt(correlation) * causes + np.sqrt(1 - correlation) * draw.standard_normal((SAMPLES, INPUTS))
    x[:, draw.choice(INPUTS, LOUD, replace=False)] *= TIMES
    return draw.standard_normal((INPUTS, OUTPUTS)), x


@dataclass(frozen=True)
@checked
class Pair:
    """Two weights whose inputs are always equal, rounded to whole codes: how far their sum is off."""

    first: Single(Number(0, 100))
    second: Single(Number(0, 100))

    # with each rounded to its nearest code
    plain = property(lambda self: abs(self.first - round(self.first) + self.second - round(self.second)))
    # the two errors, signs aside
    apart = property(lambda self: abs(self.first - round(self.first)) + abs(self.second - round(self.second)))

    @property
    def passed(self):
        """With the error of the first passed on to the second before that is rounded."""
        handed = self.second + self.first - round(self.first)
        return abs(handed - round(handed))
