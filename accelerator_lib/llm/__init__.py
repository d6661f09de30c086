"""Language models on accelerators: so far their shapes, and how many weights they have.

    llm.model("llama-3-70b").layers      80
    llm.param_count("llama-3-70b")       70,553,706,496

Shapes are facts (data/models.yaml, workload/models.py), counts follow from them (workload/transformer.py).
"""

from accelerator_lib.llm.counts import param_count
from accelerator_lib.workload.models import model

__all__ = ["model", "param_count"]
