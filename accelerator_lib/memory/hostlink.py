"""Host link: published rates of the links to the device [B/s], one direction; the start of a copy is an estimate."""

from accelerator_lib.data import frozen
from accelerator_lib.memory.levels import TABLE

LINKS = frozen({link["name"]: link["bytes_per_s"] for link in TABLE["links"]})
PCIE_5 = LINKS["PCIe 5.0 x16"]
START_SECONDS = TABLE["estimates"]["copy_start"]["seconds"]
