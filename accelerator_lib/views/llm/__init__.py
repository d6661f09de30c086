"""Pictures of chapter 10: language models, their caches, their schedulers."""

from accelerator_lib.views.llm.published import Published

__all__ = ["Published"]
