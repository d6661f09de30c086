"""Pictures of chapter 11: rings, links, grids, schedules."""

__all__ = []
