"""On JAX: the same text in Pallas itself, interpreted by JAX, or compiled where a TPU is at hand.

This does execute the text, as a notebook executes its cells: it is for a learner's own kernel. Kernels of others are
only ever walked by pallas.
"""

from functools import partial
from types import SimpleNamespace

import numpy as np

from accelerator_lib import recorded
from accelerator_lib.kernels.language import read


def run(source, arguments, outputs, compiled=None):
    """{name: array} that a learner's own text leaves; compiled=None compiles on a TPU and interprets elsewhere.

    Raises ValueError where JAX is missing; whatever Pallas finds wrong with the text it says itself."""
    read(source)
    if not recorded.here():
        raise ValueError(f"JAX is not here: this machine cannot run Pallas itself. {recorded.GET}.")
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu

    compiled = jax.default_backend() == "tpu" if compiled is None else compiled
    given = {**vars(pl), "pallas_call": partial(pl.pallas_call, interpret=not compiled)}
    names = {"jnp": jnp, "jax": jax, "pltpu": pltpu, "pl": SimpleNamespace(**given)}
    names |= {name: jnp.asarray(it) if isinstance(it, np.ndarray) else it for name, it in arguments.items()}
    exec(compile(source, "kernel", "exec"), names)
    missing = [name for name in outputs if name not in names]
    if missing:
        raise ValueError(f"the text leaves no {missing[0]}")
    return {name: np.asarray(names[name]) for name in outputs}
