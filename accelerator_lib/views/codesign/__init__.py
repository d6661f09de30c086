"""Pictures of chapter 12: loop nests, searches, programs, fronts."""

__all__ = []
