"""Pictures of chapter 13: ladders, floor plans, fronts, chains of costs."""

__all__ = []
