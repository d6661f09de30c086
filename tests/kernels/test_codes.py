import numpy as np

from accelerator_lib.kernels.codes import Code, as_number


def test_a_condition_becomes_a_number_and_a_whole_number_a_real():
    flags = Code(lambda f, m: np.array([True, False]), "bool", (3,), 3)
    assert (
        as_number(flags).kind == "int"
        and as_number(flags).run(None, None).tolist() == [1, 0]
        and as_number(flags).regs == (3,)
    )
    real = as_number(flags, "float")
    assert real.kind == "float" and real.run(None, None).dtype == np.float32 and real.op == 3
    whole = Code(lambda f, m: np.array([2**24 + 1]), "int")
    assert (
        as_number(whole) is whole
        and as_number(whole, "int") is whole
        and as_number(whole, "float").run(None, None)[0] == 2**24
    )
    assert as_number(Code(lambda f, m: 5, "float"), "int").kind == "float"  # who wants a whole number must ask for one


def test_a_constant_stays_one():
    made = as_number(Code(lambda f, m: 3, "int", value=3), "float")
    assert made.value == 3.0 and type(made.run(None, None)) is np.float32 and made.op is None
