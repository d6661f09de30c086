"""Ten steps of low-bit training, in JAX or where that is not installed in NumPy; formats are data, nothing branches.

    round(x) = rint(x / 2^(e - fraction bits)) x 2^(e - fraction bits)        e = max(exponent of x, least exponent)

All layers are squares of one width, filled up with zeros: JAX compiles one layer, not each. NumPy multiplies 32 rows at
a time, too few to be worth a second thread, and so adds in another order: two runs part slowly in their last bits.
"""

import numpy as np

from accelerator_lib.recorded import jax, jnp

ARMS, MOMENTUM, CLEAN = 3, 0.9, 50  # classes; of the update; steps until the loss scale doubles
ROWS = 32


class Steps:
    """The arithmetic with the arrays of `xp`; scan(step, state, columns) as JAX has it, a @ b, and a.T @ b."""

    def __init__(self, xp, scan, product, summed):
        self.xp, self.scan, self.product, self.summed = xp, scan, product, summed

    def rounded(self, x, form, per_tensor):
        """(x in the format, whether it overflowed, how many became 0, how many were not): nearest, ties to even."""
        xp, (fraction, least, most) = self.xp, form
        largest = xp.max(xp.abs(x))
        # of the tensor: its largest then has the largest exponent
        fits = self.power(xp.clip(self.exponent(most) - self.exponent(largest), -100, 100))
        fits = xp.where(largest * fits > most, fits / 2, fits)
        stretch = xp.where(per_tensor & (largest > 0), fits, xp.float32(1))
        y = near = x * stretch
        if xp is not np or fraction < 23:  # for JAX a format has no value yet
            place = xp.clip(xp.maximum(self.exponent(y), least) - fraction, -126, 126)  # of a unit in the last place
            near = xp.where(fraction >= 23, y, xp.round(y * self.power(-place)) * self.power(place))
        over, some = ~(xp.max(xp.abs(near)) <= most), x != 0
        return xp.clip(near, -most, most) / stretch, over, xp.sum((near == 0) & some), xp.sum(some)

    def exponent(self, x):
        """The power of two of FP32 numbers, read from their bits; -127 for 0 and what FP32 has only as subnormal."""
        return ((self.xp.asarray(x, self.xp.float32).view(self.xp.int32) >> 23) & 255) - 127

    def power(self, exponent):
        """2 to a whole number, written into the bits of FP32; from -126 on."""
        bits = (self.xp.maximum(exponent, -126) + 127) << 23
        return self.xp.asarray(bits, self.xp.int32).view(self.xp.float32)

    def stored(self, weight, noise, kind):
        """A weight as it is kept: FP32 (0), bf16 to nearest (1), bf16 up or down at random (2)."""
        xp = self.xp
        if xp is np and kind == 0:
            return weight
        place = self.power(self.exponent(weight) - 7)
        nearest, random = xp.round(weight / place), xp.floor(weight / place + noise)
        return xp.where(kind == 0, weight, xp.where(kind == 1, nearest, random) * place)

    def forward_pass(self, weights, x, form, per_tensor):
        """(outputs, (inputs, rounded inputs, rounded weights) of all layers); weights [layers, width, width]."""

        def layer(x, weight):
            inputs, w = (self.rounded(one, form, per_tensor)[0] for one in (x, weight))
            sums = self.product(inputs, w)
            return self.xp.maximum(sums, 0), (x, inputs, w, sums)

        _, (*kept, sums) = self.scan(layer, x, weights)
        return sums[-1], tuple(kept)

    def backward_pass(self, kept, gradient, form, per_tensor):
        """(gradients of the weights, whether one overflowed, how many became 0, how many were not)."""

        def layer(gradient, kept):
            x, inputs, weight = kept
            gradient, *told = self.rounded(gradient, form, per_tensor)
            return self.product(gradient, weight.T) * (x > 0), (self.summed(inputs, gradient), *told)

        _, (found, over, lost, some) = self.scan(layer, gradient, kept, reverse=True)
        return self.xp.asarray(found), over.any(), lost.sum(), some.sum()

    def one_step(self, state, batch, how):
        """(state, (loss, skipped, share of gradients lost, loss scale)) after one batch."""
        xp, (weights, speed, scale, waited), (x, arms, noise) = self.xp, state, batch
        forward, backward, per_tensor, dynamic, kind, rate = how
        outputs, kept = self.forward_pass(weights, x, forward, per_tensor)
        shifted = outputs[:, :ARMS] - outputs[:, :ARMS].max(axis=1, keepdims=True)
        logs = shifted - xp.log(xp.exp(shifted).sum(axis=1, keepdims=True))
        right = xp.eye(ARMS, dtype=xp.float32)[arms]
        gradient = xp.pad((xp.exp(logs) - right) / len(x) * scale, ((0, 0), (0, outputs.shape[1] - ARMS)))
        found, over, lost, some = self.backward_pass(kept, gradient, backward, per_tensor)
        over = over | ~xp.isfinite(xp.abs(found).sum())
        speed = xp.where(over, speed, MOMENTUM * speed + found / scale)
        weights = xp.where(over, weights, self.stored(weights - rate * speed, noise, kind))
        waited = xp.where(over, 0, waited + 1)
        grown = xp.where(over, scale / 2, xp.where(waited >= CLEAN, scale * 2, scale))
        told = -(logs * right).sum(axis=1).mean(), over, lost / xp.maximum(some, 1), scale
        return (weights, speed, xp.where(dynamic, grown, scale), xp.where(waited >= CLEAN, 0, waited)), told

    def ten_steps(self, state, batches, places, how):
        """The state after some batches, what each step told, and to which arm the network then counts each place."""
        with np.errstate(all="ignore"):  # an overflow is what this is about
            state, told = self.scan(lambda now, batch: self.one_step(now, batch, how), state, batches)
            outputs, _ = self.forward_pass(state[0], places, how[0], how[2])
        return state, told, outputs[:, :ARMS].argmax(axis=1)


def _scan(step, state, columns, reverse=False):
    rows = [*zip(*columns, strict=True)] if isinstance(columns, tuple) else [*columns]
    found = []
    for row in reversed(rows) if reverse else rows:
        state, one = step(state, row)
        found.append(one)
    columns = zip(*(reversed(found) if reverse else found), strict=True)
    return state, tuple(column if np.ndim(column[0]) else np.array(column) for column in columns)  # matrices uncopied


def _product(a, b):
    return (a.reshape(-1, ROWS, a.shape[1]) @ b).reshape(len(a), -1)


def _summed(a, b):
    return (a.reshape(-1, ROWS, a.shape[1]).swapaxes(1, 2) @ b.reshape(-1, ROWS, b.shape[1])).sum(axis=0)


IN_NUMPY = Steps(np, _scan, _product, _summed)
IN_JAX = Steps(jnp, lambda *of, **more: jax.lax.scan(*of, **more), lambda a, b: a @ b, lambda a, b: a.T @ b)
