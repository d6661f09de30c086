"""Pictures of chapter 12: loop nests, searches, programs, traces, networks, other chips."""

from accelerator_course.views.codesign.compiler import Funnel, Rewritten
from accelerator_course.views.codesign.mapping import Nest, Searches
from accelerator_course.views.codesign.portability import Front, Ledger, Proxies, TimeBars, Twins
from accelerator_course.views.codesign.profile import Changes, Timeline
from accelerator_course.views.codesign.tuning import Tuned
