"""Costs: a million tokens; a chip of one's own beside a bought one.
    break-even = once / (dollars a bought unit - dollars a unit of one's own)
Left out: staff, interest, risk.
"""

from accelerator_lib.checks.signature import Number, Single, checked

SECONDS = 3600  # of an hour
Dollars = Number(low=0, high=1e12, unit="dollars")
Rate, Use = Number(low=1e-6, high=1e12, unit="tokens/s"), Number(low=1e-6, high=1)
Price = Single(Dollars)


@checked
def usd_per_million_tokens(usd_per_hour: Dollars, tokens_per_s: Rate, use: Use = 1.0):
    """Dollars for 1e6 tokens; scalars or arrays."""
    return usd_per_hour / (SECONDS * tokens_per_s * use) * 1e6


@checked
def break_even_units(once: Price, unit_usd: Price, bought_usd: Price):
    """Units from which a design of one's own is cheaper than buying; None where a unit saves nothing."""
    saved = bought_usd - unit_usd
    return once / saved if saved > 0 else None
