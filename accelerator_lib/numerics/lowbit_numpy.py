"""One step of low-bit training in NumPy, where JAX is not installed: the arithmetic of lowbit_jax.py, in its order.

    round(x) = rint(x / 2^(e - fraction bits)) x 2^(e - fraction bits)        e = max(exponent of x, least exponent)

Products go 32 rows at a time, too few to be worth a second thread: waiting for one takes longer. Sums are added in
another order than XLA's, so two runs part slowly in their last bits.
"""

import numpy as np

ROWS = 32


def rounded(x, form, per_tensor):
    """(x in the format, whether it overflowed, how many became 0, how many were not): nearest, ties to even."""
    fraction, least, most = form
    largest = np.max(np.abs(x))
    stretch = np.float32(1)
    if per_tensor and largest > 0:
        stretch = power(np.clip(exponent(most) - exponent(largest), -100, 100))
        stretch = stretch / 2 if largest * stretch > most else stretch
    y = near = x * stretch
    if fraction < 23:
        place = np.clip(np.maximum(exponent(y), least) - fraction, -126, 126)
        near = np.round(y * power(-place)) * power(place)
    over = not np.max(np.abs(near)) <= most
    some = x != 0
    return np.clip(near, -most, most) / stretch, over, np.sum((near == 0) & some), np.sum(some)


def exponent(x):
    """The power of two of FP32 numbers, read from their bits; -127 for 0 and subnormal ones."""
    return ((np.asarray(x, np.float32).view(np.int32) >> 23) & 255) - 127


def power(exponent):
    """2 to a whole number, written into the bits of FP32; from -126 on."""
    bits = (np.maximum(np.asarray(exponent, np.int32), -126) + 127) << 23
    return np.asarray(bits, np.int32).view(np.float32)


def stored(weight, noise, kind):
    """A weight as it is kept: FP32 (0), bf16 to nearest (1), bf16 up or down at random (2)."""
    if kind == 0:
        return weight
    place = power(exponent(weight) - 7)
    return (np.round(weight / place) if kind == 1 else np.floor(weight / place + noise)) * place


def forward_pass(weights, x, form, per_tensor):
    """(outputs, [(input, rounded input, rounded weight) of each layer])."""
    kept = []
    for weight in weights:
        inputs, w = rounded(x, form, per_tensor)[0], rounded(weight, form, per_tensor)[0]
        kept.append((x, inputs, w))
        sums = _product(inputs, w)
        x = np.maximum(sums, 0)
    return sums, kept


def backward_pass(kept, gradient, form, per_tensor):
    """(gradients of the weights, whether one overflowed, how many became 0, how many were not)."""
    found, over, lost, some = [], False, 0, 0
    for x, inputs, weight in reversed(kept):
        gradient, above, gone, there = rounded(gradient, form, per_tensor)
        pieces = inputs.reshape(-1, ROWS, inputs.shape[1]).swapaxes(1, 2) @ gradient.reshape(
            -1, ROWS, gradient.shape[1]
        )
        found.append(pieces.sum(axis=0))
        over, lost, some = over or above, lost + gone, some + there
        gradient = _product(gradient, weight.T) * (x > 0)
    return np.stack(found[::-1]), over, lost, some


def _product(a, b):
    return (a.reshape(-1, ROWS, a.shape[1]) @ b).reshape(len(a), -1)


def one_step(state, batch, how, momentum, clean, classes):
    """(state, (loss, skipped, share of gradients lost, loss scale)) after one batch."""
    (weights, speed, scale, waited), (x, arms, noise) = state, batch
    forward, backward, per_tensor, dynamic, kind, rate = how
    outputs, kept = forward_pass(weights, x, forward, per_tensor)
    shifted = outputs[:, :classes] - outputs[:, :classes].max(axis=1, keepdims=True)
    logs = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    right = np.eye(classes, dtype=np.float32)[arms]
    loss = -(logs * right).sum(axis=1).mean()
    gradient = np.zeros_like(outputs)
    gradient[:, :classes] = (np.exp(logs) - right) / len(x) * scale
    found, over, lost, some = backward_pass(kept, gradient, backward, per_tensor)
    over = bool(over or not np.isfinite(np.abs(found).sum()))
    if not over:
        speed = np.float32(momentum) * speed + found / scale
        weights = stored(weights - rate * speed, noise, kind)
    waited = 0 if over else waited + 1
    told = loss, over, lost / max(some, 1), scale
    if dynamic:
        scale = scale / 2 if over else scale * 2 if waited >= clean else scale
    return (weights, speed, np.float32(scale), 0 if waited >= clean else waited), told


def ten_steps(state, batches, places, how, momentum, clean, classes):
    """The state after some batches, what each step told, and to which class the network then counts each place."""
    told = []
    with np.errstate(all="ignore"):  # an overflow is what this is about
        for batch in zip(*batches, strict=True):
            state, one = one_step(state, batch, how, momentum, clean, classes)
            told.append(one)
        outputs, _ = forward_pass(state[0], places, how[0], how[2])
    return state, tuple(np.array(column) for column in zip(*told, strict=True)), outputs[:, :classes].argmax(axis=1)
