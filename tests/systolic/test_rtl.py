"""Arrays as hardware: registers, gates, areas, Verilog."""

import shutil
import subprocess

import numpy as np
import pyrtl
import pytest

from accelerator_course.frames.systolic import cycle_by_cycle
from accelerator_lib import systolic
from accelerator_lib.rtl import arrays, netlist
from accelerator_lib.workload import Gemm


@pytest.mark.parametrize("flow", systolic.DATAFLOWS)
def test_each_register_is_that_of_the_steps_in_each_cycle(flow):
    draw = np.random.default_rng(41)
    for turn in range(200):
        (m, n, k), (rows, cols) = draw.integers(1, 8, 3).tolist(), draw.integers(1, 5, 2).tolist()
        a, b = (draw.integers(-128, 128, size, np.int8) for size in ((m, k), (k, n)))
        how = rows, cols, flow, turn % 2 == 1, flow == "os" and turn % 4 > 1
        soft, hard = list(systolic.steps(a, b, *how)), list(arrays.run(a, b, *how))
        assert len(hard) == len(soft) == systolic.cycles(Gemm(m, n, k), *how).total, (m, n, k, how)
        for state, kept in zip(soft, hard, strict=True):
            for name, wires in kept.items():
                want = getattr(state, name)
                assert np.array_equal(want.there, wires.there) and np.array_equal(want.filled(), wires.value), name


@pytest.mark.parametrize("stays", ["os", "ws"])
def test_the_gates_that_are_counted_do_what_the_design_does(stays):
    block, draw = arrays.design(stays, 2, 2), np.random.default_rng(9)
    simulated, lowered = (pyrtl.Simulation(tracer=None, block=one) for one in (block, netlist.gates(block)))
    ends = [wire.name for wire in block.wirevector_subset(pyrtl.Output)]
    sizes = {wire.name: len(wire) for wire in block.wirevector_subset(pyrtl.Input)}
    for _ in range(60):
        inputs = {name: int(draw.integers(2**size)) for name, size in sizes.items()}
        simulated.step(inputs)
        lowered.step(inputs)
        assert all(simulated.inspect(name) == lowered.inspect(name) for name in ends)


def test_the_packed_sheets_are_counted_and_sums_that_stay_make_a_pe_larger():
    for stays, packed in netlist.sheets().items():
        found = arrays.counted(stays)
        assert (found.gates, found.flip_flops) == (packed.gates, packed.flip_flops)
        assert (found.ns, found.um2) == pytest.approx((packed.ns, packed.um2), rel=1e-3)
    # By hand: a register of an operand, its three flags; where sums stay two copies of 32 bits more than the one
    kept = {stays: sheet.flip_flops for stays, sheet in netlist.sheets().items()}
    assert kept == {"os": 11 + 9 + 3 * 33, "ws": 11 + 33 + 3 * 9}
    one, four = (netlist.sheet(netlist.gates(arrays.design("ws", rows, 2))) for rows in (2, 3))
    assert four.gates - one.gates == 2 * netlist.sheets()["ws"].gates and four.ns == pytest.approx(one.ns, rel=0.05)


def test_frames_of_hardware_are_those_of_the_simulation():
    a, b = np.arange(12).reshape(3, 4), np.arange(20).reshape(4, 5)
    for flow in systolic.DATAFLOWS:
        soft, hard = (list(cycle_by_cycle(a, b, 2, 3, flow, hardware=on)) for on in (False, True))
        assert all(np.array_equal(one.now.active, two.now.active) for one, two in zip(soft, hard, strict=True))
        assert hard[-1].sheet == netlist.sheets()["os" if flow == "os" else "ws"] and soft[-1].sheet is None
    with pytest.raises(ValueError, match="-128 to 127"):
        list(cycle_by_cycle(a / 2, b, 2, 3, hardware=True))


@pytest.mark.parametrize("stays", ["os", "ws"])
@pytest.mark.skipif(not shutil.which("iverilog"), reason="no iverilog: sudo apt-get install iverilog")
def test_verilog_holds_the_same_registers(tmp_path, stays):
    block, draw, simulated = arrays.design(stays, 2, 2), np.random.default_rng(10), arrays.machine(stays, 2, 2)
    wires, want = sorted(block.wirevector_subset(pyrtl.Input), key=str), []
    simulated.regs = dict.fromkeys(simulated.regs, 0)
    lines = [f"dut.{name} = 0;" for name in simulated.regs]
    for _ in range(100):
        inputs = {wire.name: int(draw.integers(2 ** len(wire))) for wire in wires}
        lines += [f"{name} = {value};" for name, value in inputs.items()] + ["clk = 0; #1 clk = 1; #1"]
        simulated.step(inputs)
        lines += [f'$display("%0d", dut.{name});' for name in simulated.regs]
        want += simulated.regs.values()
    ports = ", ".join(f".{wire.name}({wire.name})" for wire in wires)
    regs = " ".join(f"reg [{len(wire) - 1}:0] {wire.name};" for wire in wires)
    bench = f"module bench; reg clk; {regs} toplevel dut(.clk(clk), {ports}); initial begin {chr(10).join(lines)} end"
    (tmp_path / "bench.v").write_text(f"{arrays.verilog(stays, 2, 2)}\n{bench} endmodule\n")
    subprocess.run(["iverilog", "-o", tmp_path / "run", tmp_path / "bench.v"], check=True)
    said = subprocess.run([tmp_path / "run"], check=True, capture_output=True, text=True).stdout
    assert [int(one) for one in said.split()] == want
