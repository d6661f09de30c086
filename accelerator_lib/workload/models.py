"""Models: the shapes of published language models, decoders with gated MLPs.

What follows from a shape is counted in transformer.py. Facts: data/models.yaml.
"""

from dataclasses import dataclass, fields

from accelerator_lib import data
from accelerator_lib.checks.inputs import one_of
from accelerator_lib.checks.signature import Given, checked


@dataclass(frozen=True)
class Model:
    """One language model; what it does not have, or what is not published, is None."""

    id: str
    name: str
    layers: int
    d_model: int
    heads: int
    d_ff: int  # of one expert, where there are several
    vocab: int
    params: float
    active_params: float  # those that one token meets
    experts: int = 1
    chosen: int = 1  # experts that each token picks
    kv_heads: int | None = None
    head_dim: int | None = None
    kv_latent: int | None = None  # elements that stand for keys and values of a token, where they are compressed
    shared_experts: int = 0
    dense_layers: int = 0
    dense_d_ff: int | None = None
    context_tokens: int | None = None
    tied_embeddings: bool = False  # one table is the input's and the head's
    q_width: int | None = None  # heads x head_dim, where that is not d_model
    latent: tuple = ()  # (q, without position, with position, v): the queries' latent or 0, and parts of a head
    shared_d_ff: int = 0  # of all shared experts together
    expert_vectors: int = 0  # biases of an expert
    vectors: int | None = None  # norms and biases, routers' too; None: two norms a layer and one at the end
    window: int | None = None  # tokens that windowed layers keep
    windowed_layers: int = 0
    stored_bytes: float | None = None  # as its file stores the weights, where they are quantised
    source: str = ""

    # elements of the keys of a token in one layer, and as many of its values; None where they are compressed
    kv_width = property(lambda self: None if self.kv_latent else self.kv_heads * self.head_dim)
    attention_width = property(lambda self: self.q_width or self.d_model)  # of the queries of a token, all heads
    active = property(lambda self: self.chosen)  # experts that each token picks
    mlp_ratio = property(lambda self: self.d_ff / self.d_model)  # width of the MLP over the width of the model


@checked
def model(name):
    """The Model of an id such as "llama-2-7b"; a Model is returned as it is. Raises UnknownName."""
    return name if isinstance(name, Model) else models()[one_of("model", name, models())]


AModel = Given("a model or its id", model)  # for signatures


@data.kept
def models():
    """{id: Model} in the order of the table."""
    facts, own = data.load("models"), {field.name for field in fields(Model)} - {"id", "source"}
    found = {}
    for id, record in facts["models"].items():
        known = {key: tuple(value) if key == "latent" else value for key, value in record.items() if key in own}
        found[id] = Model(id=id, source=facts["sources"][record["source"]]["title"], **known)
    return found
