"""Reading: one decode step as what is read from memory, the weights once and a cache for each user.

seconds = (weights + users x context x KV bytes of a token) / bandwidth
"""

from dataclasses import dataclass

from accelerator_lib.checks.signature import Count, checked
from accelerator_lib.hardware import AChip, format_bytes
from accelerator_lib.llm.counts import kv_bytes_per_token, weights_read
from accelerator_lib.llm.steps import Step, decode_step
from accelerator_lib.workload.models import AModel


@dataclass(frozen=True, eq=False)
class Reading:
    """One decode step as what is read: the weights once, a cache for each user."""

    users: int
    context: int
    weights_seconds: float
    cache_seconds: float  # of one user
    step: Step
    alone: Step

    @property
    def longer(self):
        """The step, as so many steps of one user alone."""
        return self.step.seconds / self.alone.seconds


@checked
def read(model: AModel, chip: AChip, users: Count(high=10**6), context: Count(high=10**8)):
    """Reading of a step of so many users with `context` tokens each in bf16. Raises NotAvailable."""
    rate = chip.need("bytes_per_s")
    return Reading(
        users=users,
        context=context,
        weights_seconds=weights_read(model, users) * format_bytes("bf16") / rate,
        cache_seconds=context * kv_bytes_per_token(model) / rate,
        step=decode_step(model, chip, users, context),
        alone=decode_step(model, chip, 1, context),
    )
