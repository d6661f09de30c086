"""Software stack, mapping and co-design: what stands between a formula and a fast kernel."""

__all__ = []
