"""Pictures of chapter 11: links, collectives, splits, schedules, and models beside what was measured."""

from accelerator_course.views.network.collectives import Around, Gradients, Tiers
from accelerator_course.views.network.links import Misses
from accelerator_course.views.network.schedules import Context, Gantt, Lanes, Slowest
from accelerator_course.views.network.splits import OneToken, Routes, SplitMap, Tokens
