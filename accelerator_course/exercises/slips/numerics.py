"""Slips of the exercises of chapter 7."""

from accelerator_course.exercises.numerics import decode, stored_block
from accelerator_course.exercises.slips import changed

sign_forgotten = changed(decode, "-1.0 if", "1.0 if")
leading_one_always = changed(decode, "(0, 1 - bias)", "(1, 1 - bias)")
no_subnormals = changed(decode, "(0, 1 - bias)", "(1, -bias)")
power_of_zero = changed(decode, "(0, 1 - bias)", "(0, -bias)")
ieee_always = changed(decode, 'top and flavor == "ieee"', "top")
last_code_read = changed(decode, "top and last", "False")
no_top = changed(decode, 'top and flavor == "ieee"', "False", "top and last", "False")

power_always = changed(stored_block, 'quantize(exact, "e4m3") if rule == "E4M3" else ', "")
scale_not_stored = changed(stored_block, 'quantize(exact, "e4m3")', "exact")
largest_is_clipped = changed(
    stored_block, "math.ceil(math.log2(exact))", "(math.floor(math.log2(largest)) - math.floor(math.log2(codes[-1])))"
)
sign_lost = changed(stored_block, "math.copysign(codes[place] * scale, value)", "codes[place] * scale")
not_back = changed(stored_block, "codes[place] * scale", "codes[place]")
cut_off = changed(stored_block, "abs(codes[i] - abs(value) / scale), i % 2", "codes[i] > abs(value) / scale, -i")
ties_up = changed(stored_block, "i % 2", "-i")
