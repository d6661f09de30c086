"""One step of low-bit training, for JAX: formats are data, nothing branches on them.

    round(x) = rint(x / 2^(e - fraction bits)) x 2^(e - fraction bits)        e = max(exponent of x, least exponent)

All layers are squares of one width, filled up with zeros, so that one layer is compiled and not each of them. Nothing
of JAX is imported before a function runs.
"""


def rounded(x, form, per_tensor):
    """(x in the format, whether it overflowed, how many became 0, how many were not): nearest, ties to even."""
    import jax.numpy as jnp

    fraction, least, most = form
    largest = jnp.max(jnp.abs(x))
    fits = power(jnp.clip(exponent(most) - exponent(largest), -100, 100))  # its largest then has the largest exponent
    fits = jnp.where(largest * fits > most, fits / 2, fits)
    stretch = jnp.where(per_tensor & (largest > 0), fits, 1.0)
    y = x * stretch
    place = jnp.clip(jnp.maximum(exponent(y), least) - fraction, -126, 126)  # of a unit in the last place
    near = jnp.where(fraction >= 23, y, jnp.round(y * power(-place)) * power(place))
    over = ~(jnp.max(jnp.abs(near)) <= most)
    lost = jnp.sum((near == 0) & (x != 0))
    return jnp.clip(near, -most, most) / stretch, over, lost, jnp.sum(x != 0)


def exponent(x):
    """The power of two of FP32 numbers, read from their bits; -127 for 0 and what FP32 itself has only as subnormal."""
    import jax
    import jax.numpy as jnp

    return ((jax.lax.bitcast_convert_type(x, jnp.int32) >> 23) & 255) - 127


def power(exponent):
    """2 to a whole number, written into the bits of FP32; from -126 on."""
    import jax
    import jax.numpy as jnp

    return jax.lax.bitcast_convert_type((jnp.maximum(exponent, -126) + 127) << 23, jnp.float32)


def stored(weight, noise, kind):
    """A weight as it is kept: FP32 (0), bf16 to nearest (1), bf16 up or down at random (2)."""
    import jax.numpy as jnp

    place = power(exponent(weight) - 7)
    nearest, random = jnp.round(weight / place), jnp.floor(weight / place + noise)
    return jnp.where(kind == 0, weight, jnp.where(kind == 1, nearest, random) * place)


def forward_pass(weights, x, form, per_tensor):
    """(outputs, (inputs, rounded inputs, rounded weights) of all layers); weights [layers, width, width]."""
    import jax
    import jax.numpy as jnp

    def layer(x, weight):
        inputs, w = rounded(x, form, per_tensor)[0], rounded(weight, form, per_tensor)[0]
        sums = inputs @ w
        return jnp.maximum(sums, 0), (x, inputs, w, sums)

    _, (x, inputs, w, sums) = jax.lax.scan(layer, x, weights)
    return sums[-1], (x, inputs, w)


def backward_pass(kept, gradient, form, per_tensor):
    """(gradients of the weights, whether one overflowed, how many became 0, how many were not)."""
    import jax

    def layer(gradient, kept):
        x, inputs, weight = kept
        gradient, *told = rounded(gradient, form, per_tensor)
        return (gradient @ weight.T) * (x > 0), (inputs.T @ gradient, *told)

    _, (found, over, lost, some) = jax.lax.scan(layer, gradient, kept, reverse=True)
    return found, over.any(), lost.sum(), some.sum()


def one_step(state, batch, how, momentum, clean, classes):
    """(state, (loss, skipped, share of gradients lost, loss scale)) after one batch."""
    import jax
    import jax.numpy as jnp

    (weights, speed, scale, waited), (x, arms, noise) = state, batch
    forward, backward, per_tensor, dynamic, kind, rate = how
    outputs, kept = forward_pass(weights, x, forward, per_tensor)
    logs = jax.nn.log_softmax(outputs[:, :classes])
    right = jax.nn.one_hot(arms, classes)
    loss = -(logs * right).sum(axis=1).mean()
    gradient = jnp.zeros_like(outputs).at[:, :classes].set((jnp.exp(logs) - right) / len(x) * scale)
    found, over, lost, some = backward_pass(kept, gradient, backward, per_tensor)
    over |= ~jnp.isfinite(jnp.abs(found).sum())
    speed = jnp.where(over, speed, momentum * speed + found / scale)
    weights = jnp.where(over, weights, stored(weights - rate * speed, noise, kind))
    waited = jnp.where(over, 0, waited + 1)
    grown = jnp.where(over, scale / 2, jnp.where(waited >= clean, scale * 2, scale))
    told = loss, over, lost / jnp.maximum(some, 1), scale
    return (weights, speed, jnp.where(dynamic, grown, scale), jnp.where(waited >= clean, 0, waited)), told


def ten_steps(state, batches, places, how, momentum, clean, classes):
    """The state after some batches, what each step told, and to which class the network then counts each place."""
    import jax

    state, told = jax.lax.scan(lambda now, batch: one_step(now, batch, how, momentum, clean, classes), state, batches)
    outputs, _ = forward_pass(state[0], places, how[0], how[2])
    return state, told, outputs[:, :classes].argmax(axis=1)
