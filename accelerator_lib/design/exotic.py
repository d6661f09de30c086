"""Exotic: light, zeros, spikes, and models burnt into a chip; each is judged by what it takes to get in and out.

    light    a MAC = (ADC + DAC) / edge + DAC / reuse        an edge of values in and out for edge^2 MACs
    zeros    work = density x (1 + overhead)                 pays below a density of 1 / (1 + overhead)
    spikes   a sum = rate x steps x (add + read a weight)    against one multiply, one add, one read
    burnt in the rest decides: Amdahl (chapter 3)

The analog array is in analog.py, chips of one's own in volume.py. Energies of digital steps: data/energy.yaml, 7 nm.
Left out: lasers and heaters, programming, drift, the software; they make none of these machines better.
"""

from accelerator_lib.checks.signature import Number, Positive, Share, checked
from accelerator_lib.design.analog import analog_pj, effective_bits
from accelerator_lib.design.volume import break_even_units
from accelerator_lib.energy.costs import access_pj, mac_pj
from accelerator_lib.energy.table import operation

PicoJoules = Number(low=0, high=1e9, unit="pJ")
Edge, Overhead = Number(low=1, high=1e6), Number(low=0, high=1e6)
Rate, Steps = Number(low=0, high=1), Number(low=1, high=1e6)
WEIGHTS = "sram_32kb"  # where a weight is read from
__all__ = [
    "analog_pj",
    "break_even_density",
    "break_even_units",
    "digital_pj",
    "effective_bits",
    "photonic_pj",
    "sparse_work",
    "spike_pj",
]


@checked
def digital_pj(reads: Number(low=0, high=1) = 0.0):
    """Energy [pJ] of an INT8 multiply-accumulate with an INT32 sum; `reads`: weights read from SRAM for each MAC."""
    return mac_pj("int8", accumulator="int32") + reads * access_pj(1, WEIGHTS)


@checked
def photonic_pj(edge: Edge, reuse: Positive, adc_pj: PicoJoules = 2.56, dac_pj: PicoJoules = 1.0):
    """Energy [pJ] of a MAC in an edge x edge mesh of light; a weight stays for `reuse` vectors. Scalars or arrays."""
    return (adc_pj + dac_pj) / edge + dac_pj / reuse


@checked
def sparse_work(density: Share, overhead: Overhead):
    """Work on the non-zeros relative to all: `overhead` is what finding one costs, relative to using it."""
    return density * (1 + overhead)


@checked
def break_even_density(overhead: Overhead):
    """The density below which skipping zeros pays."""
    return 1 / (1 + overhead)


@checked
def spike_pj(rate: Rate, steps: Steps):
    """Energy [pJ] of one input of one neuron over a run of `steps`, spiking in a share `rate` of them."""
    return rate * steps * (operation("add", "int32", 7).pj + access_pj(1, WEIGHTS))
