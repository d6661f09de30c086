"""Slips of the exercises of chapter 7b."""

from accelerator_course.exercises.lowbit import scaler, train_step
from accelerator_course.exercises.slips import changed

skips_nothing = changed(scaler, "return scale, skipped", "return scale, 0")
counter_not_reset = changed(scaler, "scale / 2, 0", "scale / 2, clean")
doubles_ever_after = changed(scaler, "clean == 2000", "clean >= 2000", "scale * 2, 0", "scale * 2, clean")
one_step_late = changed(scaler, "clean == 2000", "clean == 2001")

UPDATED = "master - RATE * found.astype(np.float32) / scale"
updates_on_overflow = changed(train_step, "return master, scale / 2", f"return {UPDATED}, scale / 2")
not_divided = changed(train_step, UPDATED, UPDATED.removesuffix(" / scale"))
master_in_fp16 = changed(train_step, UPDATED, f"({UPDATED}).astype(np.float16).astype(np.float32)")
count_goes_on = changed(train_step, "scale / 2, 0", "scale / 2, clean")
infinities_alone = changed(train_step, "not np.isfinite(found).all()", "np.isinf(found).any()")
never_doubles = changed(train_step, "scale * 2", "scale")
never_halves = changed(train_step, "scale / 2", "scale")
