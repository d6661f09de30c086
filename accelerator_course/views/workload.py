"""Pictures of chapter 1: a convolution as a product, a network by resolution, counts beside the compiler's."""

import numpy as np

from accelerator_course.views.kit import words
from accelerator_course.views.stage import Stage, boxes, pick
from accelerator_lib.units import counted, number

LEFT, TOP, LOWER, ABOVE = 8, 34, 256, 14  # left edge; top of the images, of the maps below; a title above them
MAP, OUT = 150, 190  # edge of a map, left edge of the outputs
ROWS, ROWS_TOP = 366, 76  # corner of the patch matrix
WIDEST, HIGHEST, PIXEL = 11, 12, 17  # the smallest cell, and the smallest pixel, with a digit in it
CHANNELS = ("memory", "other")


class Patches(Stage):
    """The image and the window, the rows written so far, how often each pixel was copied, the outputs so far.

    >>> image, ones = np.arange(16).reshape(1, 4, 4) % 10, np.ones((1, 3, 3), int)
    >>> view, run = Patches(), list(frames.workload.im2col(image, ones))
    >>> view.show(run[0]), view.show(run[-1])
    >>> view.show(list(frames.workload.im2col(np.ones((2, 6, 6), int), np.ones((2, 5, 5), int), 1, 2))[20])
    """

    size, noun = (740, 450), "step"

    def marks(self, sliding):  # frames.workload.Sliding
        conv, channels = sliding.conv, len(sliding.image)
        edge = 178 if channels == 1 else 150
        self.cell = edge / (max(conv.height, conv.width) + 2 * conv.padding)
        self.corners = np.array([(LEFT + (edge + 22) * channel, TOP) for channel in range(channels)])
        patches, k = sliding.rows.shape
        self.wide, self.high = min(300 / k, 32), min(366 / patches, 26)
        # Each channel with its padding, and the window on it
        conv, pad, cell = sliding.conv, sliding.conv.padding, self.cell
        at = np.indices((conv.height + 2 * pad, conv.width + 2 * pad)).reshape(2, -1)
        inside = ((at >= pad) & (at - pad < [[conv.height], [conv.width]])).all(axis=0)
        copies = np.pad(sliding.copies, pad).ravel()
        who = [f"pixel {r - pad + 1}, {c - pad + 1}" if t else "padding" for r, c, t in zip(*at, inside, strict=True)]
        says = [_often(n) if t else "a zero at the edge" for n, t in zip(copies, inside, strict=True)]
        names = ["image"] if len(self.corners) == 1 else ["channel 1", "channel 2"]
        found, titles = [], []
        for channel, (x, y) in enumerate(self.corners):
            values = np.pad(sliding.image[channel], pad).ravel() if cell >= PIXEL else ""
            role = pick(("muted soft", f"{CHANNELS[channel]} tint"), inside)
            place = x + at[1] * cell, y + at[0] * cell, cell - 1, cell - 1
            found.append(boxes(f"image-{channel}", range(len(who)), *place, role, values, 13, who, says))
            titles.append((x, y - ABOVE, names[channel], f"{CHANNELS[channel]} bold start", 14))
        top, left = sliding.window or (0, 0)
        x, y = (self.corners if not sliding.done else self.corners[:0]).T + cell * pad - 1
        place, edge = (x + left * cell, y + top * cell), conv.kernel * cell + 1
        lies = {"who": "the window", "says": f"lies on patch {sliding.number + 1}"}
        window = boxes("window", range(len(x)), *place, edge, edge, "compute line", **lies)
        yield from found
        yield window
        yield words("image-names", *titles)
        # Below the image: copies of each pixel, and the outputs so far
        conv, copies = sliding.conv, sliding.copies.ravel()
        rows, cols = np.indices(sliding.copies.shape).reshape(2, -1)
        cell, small = MAP / max(sliding.copies.shape), MAP / max(conv.out_height, conv.out_width)
        spots = LEFT + cols * cell, LOWER + rows * cell, cell - 1, cell - 1
        roles = pick(("paper", "memory tint", "memory"), (copies > 0) * (1 + (2 * copies > sliding.most)))
        pixels = [f"pixel {r + 1}, {c + 1}" for r, c in zip(rows, cols, strict=True)]
        out = np.arange(conv.out_height * conv.out_width)
        row, col = np.divmod(out, conv.out_width)
        places, there = (OUT + col * small, LOWER + row * small, small - 1, small - 1), out < sliding.number
        values = [f"{v:g}" if small >= 24 else "" for v in sliding.outputs] + [""] * int((~there).sum())
        look, says = pick(("paper", "good tint"), there), pick(("not yet", "row × filter"), there)
        who, y = [f"output {i + 1}" for i in out], LOWER - ABOVE
        yield boxes("copies-map", range(len(copies)), *spots, roles, copies, 14, pixels, list(map(_often, copies)))
        yield boxes("output-map", out, *places, look, values, 12, who, says)
        yield words("copies title", (LEFT, y, "times copied", "memory bold start", 14))
        yield words("outputs title", (OUT, y, "outputs", "good bold start", 14))
        # The frame of the rows, the filter above its columns, the outputs beside its rows
        patches, k = sliding.rows.shape
        at, written, wide = np.arange(k), np.arange(sliding.number), k * self.wide
        end, fits, tall = ROWS + wide, self.wide >= 1.4 * WIDEST, self.high >= HIGHEST
        ready, y = [] if sliding.done else [0], ROWS_TOP + self.high * np.arange(sliding.number + 1)
        spots = ROWS + at * self.wide, 42, self.wide - (1 if fits else 0.4), 20
        weights, values = [f"{w:g}" for w in sliding.weights], [f"{v:g}" for v in sliding.outputs]
        of_filter, of_rows = [f"weight {i + 1}" for i in at], [f"output {i + 1}" for i in written]
        says, look = [f"row × filter = {v}" for v in values], "good tint" if tall else "good soft"
        place = end + 14, y[:-1], 34, max(self.high - 1, 1)
        yield boxes("frame", [0], ROWS - 2, ROWS_TOP - 2, wide + 4, patches * self.high + 4, "muted line")
        yield boxes("row", ready, ROWS - 2, y[-1] - 1, wide + 4, self.high + 1, "compute line")
        yield boxes("filter", at, *spots, "compute tint", weights if fits else "", 12, of_filter, weights)
        yield boxes("outputs", written, *place, look, values if tall else "", 12, of_rows, says)
        beside = (end + 8, 44, "filter", "compute bold start"), (end + 14, 66, "out", "good bold start")
        yield words("matrix-names", (ROWS, 16, f"patch matrix: {patches} × {k}", "ink bold start", 14), *beside)
        # The numbers of the rows that are written, and those under the window, which fly into the next
        conv, pad, k, done = sliding.conv, sliding.conv.padding, sliding.rows.shape[1], sliding.number
        channel, down, across = np.indices((len(sliding.image), conv.kernel, conv.kernel)).reshape(3, -1)
        row, col = np.divmod(np.arange(done * k), k)
        gap = 1 if min(self.wide, self.high) > 8 else 0.3
        spots = [np.array([ROWS + col * self.wide, ROWS_TOP + row * self.high])]
        sizes = [np.full((done * k, 2), [self.wide - gap, self.high - gap])]
        if not sliding.done:
            top, left = sliding.window
            spots.append(self.corners[channel].T + self.cell * (pad + np.array([left + across, top + down])))
            sizes.append(np.full((k, 2), self.cell - 1))
        count = done + (not sliding.done)
        under = np.repeat(np.arange(count) >= done, k)
        fits = self.wide >= WIDEST and self.high >= HIGHEST  # else only those under the window
        written = np.where(under, self.cell >= PIXEL, fits)
        values = [f"{v:g}" if seen else "" for v, seen in zip(sliding.rows[:count].ravel(), written, strict=True)]
        roles, says = pick(CHANNELS, np.tile(channel, count)), pick(("a row of the matrix", "under the window"), under)
        who = [f"patch {i + 1}" for i in range(count) for _ in range(k)]
        places = *np.concatenate(spots, axis=1), *np.concatenate(sizes).T
        yield boxes("copies", np.arange(count * k), *places, roles, values, 12, who, says)

    def say(self, sliding):
        patches, k = sliding.rows.shape
        most = counted(sliding.copies.max(), "time")
        if sliding.done:
            least = sliding.copies.min()
            even, apart = f"Each pixel was copied {most}.", f"Pixels were copied between {least} and {most}."
            each = even if least == sliding.copies.max() else apart
            times = "" if sliding.factor == 1 else f"{number(sliding.factor)} times "
            numbers = f"{sliding.rows.size:,} numbers, {times}as many as the image"
            return f"{counted(patches, 'patch', 'patches')} written: {numbers}. {each}"
        so_far = f"So far, no pixel was copied more than {most}." if sliding.number else "No copies yet."
        its = f"its {counted(k, 'number')} will be row {sliding.number + 1}"
        return f"The window lies on patch {sliding.number + 1} of {patches}: {its}. {so_far}"


def _often(copies):
    return f"copied {counted(copies, 'time')} so far"
