"""Slips of the exercises of chapter 13."""

from accelerator_course.exercises.design import audit, serving_plan
from accelerator_course.exercises.slips import changed

links_both_ways = changed(audit, 'sheet["links"]', '2 * sheet["links"]')
counts_no_two = changed(audit, "** 2 * 2 *", "** 2 *")
PRINTED = 'sheet["printed"]["peak"]'
believes_the_peak = changed(audit, '"per_watt": peak', f'"per_watt": {PRINTED}', '"ridge": peak', f'"ridge": {PRINTED}')
lowest_setting = changed(audit, "max(", "min(")
chips_not_whole = changed(audit, "ceil(", "float(")

weights_alone = changed(serving_plan, '4 * cfg["layers"]', "0")
keys_alone = changed(serving_plan, '4 * cfg["layers"]', '2 * cfg["layers"]')
all_of_the_memory = changed(serving_plan, "0.9 * ", "")
rounds_down = changed(serving_plan, "ceil(kept / (0.9", "int(kept / (0.9", "ceil(kept / (chip", "int(kept / (chip")
