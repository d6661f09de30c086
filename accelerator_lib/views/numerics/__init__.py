"""Pictures of chapter 7."""

__all__ = []
