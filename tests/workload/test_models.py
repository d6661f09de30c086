import pytest

from accelerator_lib import data
from accelerator_lib.checks.inputs import UnknownName
from accelerator_lib.workload import models


def test_a_model_is_found_by_its_id_and_carries_its_source():
    llama = models.model("llama-2-7b")
    assert (llama.layers, llama.d_model, llama.d_ff, llama.vocab) == (32, 4096, 11008, 32000)
    assert llama.mlp_ratio == 2.6875 and llama.kv_width == 4096 and llama.source.startswith("Llama 2")
    assert models.model(llama) is llama and models.model("llama-3-8b").kv_width == 1024
    with pytest.raises(UnknownName, match="model 'lama-2-7b' is unknown; did you mean .*'llama-2-7b'"):
        models.model("lama-2-7b")


def test_a_compressed_cache_has_no_width_of_keys():
    latent = models.model("deepseek-v3")
    assert latent.kv_width is None and latent.kv_latent == 576 and latent.experts == 256


@pytest.mark.parametrize("id", data.load("models")["models"])
def test_every_number_of_a_shape_is_in_its_record(id):
    """Nothing that the table says is lost on the way; what the record adds is None or a plain default."""
    listed, record = data.load("models")["models"][id], vars(models.model(id))
    aside = {"basis", "source", "except", "note", "tied_embeddings"}
    assert {key: record[key] for key in listed.keys() - aside} == {key: listed[key] for key in listed.keys() - aside}
