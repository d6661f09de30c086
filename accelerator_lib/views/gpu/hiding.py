"""How many warps hide the latency."""

import numpy as np

from accelerator_lib import gpu
from accelerator_lib.units import counted, number, percent
from accelerator_lib.views import style
from accelerator_lib.views.lines import Curves


class HideLatency(Curves):
    """Share of the bandwidth over the warps of an SM, for loads of different width."""

    BYTES = (4, 16, 64)

    def __init__(self):
        names = [f"{size} B under way in each thread" for size in self.BYTES] + ["yours"]
        super().__init__(
            names,
            "warps on each SM",
            "share of the bandwidth",
            (1, 64),
            (0, 1.04),
            log="",
            legend="outside lower center",
        )
        style.percents(self.ax.yaxis)
        self.warps = np.arange(1, 65)

    def show(self, result):
        """`result`: (bandwidth [B/s], latency [s], SMs, bytes a thread has under way, warps)."""
        bandwidth, latency, sms, own, warps = result
        curves = [gpu.bandwidth_share(bandwidth, latency, sms, size, self.warps) for size in (*self.BYTES, own)]
        values = [None, None, None, gpu.bandwidth_share(bandwidth, latency, sms, own, warps)]
        self.draw(self.warps, curves, warps, values)
        needed = gpu.warps_to_saturate(bandwidth, latency, sms, own)
        enough = f"{counted(needed, 'warp')} would saturate it ({percent(needed / 64)} occupancy)"
        if needed > 64:
            enough = "no occupancy is enough: 64 warps are all there are"
        return (
            f"{counted(warps, 'warp')}, {number(own)} B under way in each thread: {percent(values[3])} of the "
            f"bandwidth; {enough}."
        )
