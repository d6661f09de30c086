"""Numbers in few bits: formats, rounding, scales, sums, and what they buy."""

__all__ = []
