"""im2col: a window slides over an image, and each patch flies into a row of the patch matrix."""

import numpy as np

from accelerator_course.views.stage import Stage, boxes, pick, texts
from accelerator_lib.units import counted, number

ONE, TWO = 178, 150  # edge of an image that is alone, of one of two
TOP, LOWER = 34, 256  # of the images, of the maps below
MAP, OUT = 150, 190  # edge of a map, left edge of the outputs
LEFT, WIDE, ROWS_TOP, HIGH = 366, 300, 76, 366  # of the patch matrix, at most
WIDEST, HIGHEST, PIXEL = 11, 12, 17  # the smallest cell, and the smallest pixel, with a digit in it
CHANNELS = ("memory", "other")


class Patches(Stage):
    """The image and the window, the rows written so far, how often each pixel was copied, the outputs so far.

    >>> image, ones = np.arange(16).reshape(1, 4, 4) % 10, np.ones((1, 3, 3), int)
    >>> view, run = Patches(), list(frames.workload.im2col(image, ones))
    >>> view.show(run[0])
    >>> view.show(run[2])
    >>> view.show(run[-1])
    >>> view.show(list(frames.workload.im2col(np.ones((2, 6, 6), int), np.ones((2, 5, 5), int), 1, 2))[20])
    """

    size, noun = (740, 450), "step"

    def marks(self, sliding):
        """`sliding`: workload.im2col.Sliding."""
        conv, channels = sliding.conv, len(sliding.image)
        edge = ONE if channels == 1 else TWO
        self.cell = edge / (max(conv.height, conv.width) + 2 * conv.padding)
        self.corners = [(8 + (edge + 22) * channel, TOP) for channel in range(channels)]
        patches, self.k = sliding.rows.shape
        self.wide, self.high = min(WIDE / self.k, 32), min(HIGH / patches, 26)
        return [*self._images(sliding), *self._maps(sliding), *self._matrix(sliding), *self._copies(sliding)]

    def _images(self, sliding):
        conv, pad, cell = sliding.conv, sliding.conv.padding, self.cell
        at = np.indices((conv.height + 2 * pad, conv.width + 2 * pad)).reshape(2, -1)
        inside = ((at >= pad) & (at - pad < [[conv.height], [conv.width]])).all(axis=0)
        places = [*zip(*(at - pad), inside, strict=True)]
        who = [f"pixel {r + 1}, {c + 1}" if there else "padding" for r, c, there in places]
        copied = "copied {} so far"
        says = [
            copied.format(counted(sliding.copies[r, c], "time")) if t else "a zero at the edge" for r, c, t in places
        ]
        found = []
        for channel, (x, y) in enumerate(self.corners):
            values = [sliding.image[channel, r, c] if there else 0 for r, c, there in places]
            role = pick(("muted soft", f"{CHANNELS[channel]} tint"), inside)
            spots = x + at[1] * cell, y + at[0] * cell, cell - 1, cell - 1
            if cell < PIXEL:
                values = ""
            found.append(boxes(f"image-{channel}", range(len(who)), *spots, role, values, 13, who, says))
        top, left = sliding.window or (0, 0)
        x, y = np.array([] if sliding.done else self.corners).reshape(-1, 2).T
        edge = conv.kernel * cell + 1
        names = ["image"] if len(self.corners) == 1 else ["channel 1", "channel 2"]
        return [
            *found,
            boxes(
                "window", range(len(x)), x + (left + pad) * cell - 1, y + (top + pad) * cell - 1, edge, edge,
                "compute line", who="the window", says=f"lies on patch {sliding.number + 1}",
            ),
            texts(
                "image-names", range(len(names)), [x for x, _ in self.corners], TOP - 14, names,
                [f"{CHANNELS[i]} bold start" for i in range(len(names))], 14,
            ),
        ]  # fmt: skip

    def _maps(self, sliding):
        """Below the image: copies of each pixel, and the outputs so far."""
        conv = sliding.conv
        rows, cols = np.indices(sliding.copies.shape).reshape(2, -1)
        cell = MAP / max(sliding.copies.shape)
        copies = sliding.copies.ravel()
        look = (copies > 0) * (1 + (2 * copies > sliding.most))
        out = np.arange(conv.out_height * conv.out_width)
        small = MAP / max(conv.out_height, conv.out_width)
        there, row, col = out < sliding.number, out // conv.out_width, out % conv.out_width
        values = [f"{v:g}" for v in sliding.outputs] if small >= 24 else [""] * sliding.number
        return [
            boxes(
                "copies-map", range(len(copies)), 8 + cols * cell, LOWER + rows * cell, cell - 1, cell - 1,
                pick(("paper", "memory tint", "memory"), look), copies, 14,
                [f"pixel {r + 1}, {c + 1}" for r, c in zip(rows, cols, strict=True)],
                [f"copied {counted(n, 'time')} so far" for n in copies],
            ),
            boxes(
                "output-map", out, OUT + col * small, LOWER + row * small, small - 1, small - 1,
                pick(("paper", "good tint"), there), [*values, *[""] * (len(out) - len(values))], 12,
                [f"output {i + 1}" for i in out], ["row × filter" if made else "not yet" for made in there],
            ),
            texts(
                "map-names", range(2), [8, OUT], LOWER - 14, ["times copied", "outputs"],
                ["memory bold start", "good bold start"], 14,
            ),
        ]  # fmt: skip

    def _matrix(self, sliding):
        """The frame of the rows, the filter above its columns, the outputs beside its rows."""
        patches, k = sliding.rows.shape
        end, at = LEFT + k * self.wide, np.arange(k)
        written = np.arange(sliding.number)
        fits, tall = self.wide >= 1.4 * WIDEST, self.high >= HIGHEST
        ready, wide, next_ = [] if sliding.done else [0], k * self.wide + 4, ROWS_TOP + sliding.number * self.high
        return [
            boxes("frame", [0], LEFT - 2, ROWS_TOP - 2, wide, patches * self.high + 4, "muted line"),
            boxes("row", ready, LEFT - 2, next_ - 1, wide, self.high + 1, "compute line"),
            boxes(
                "filter", at, LEFT + at * self.wide, 42, self.wide - (1 if fits else 0.4), 20, "compute tint",
                [f"{w:g}" if fits else "" for w in sliding.weights], 12, [f"weight {i + 1}" for i in at],
                [f"{w:g}" for w in sliding.weights],
            ),
            boxes(
                "outputs", written, end + 14, ROWS_TOP + written * self.high, 34, max(self.high - 1, 1),
                "good tint" if tall else "good soft",
                [f"{v:g}" if tall else "" for v in sliding.outputs], 12, [f"output {i + 1}" for i in written],
                [f"row × filter = {v:g}" for v in sliding.outputs],
            ),
            texts(
                "matrix-names", range(3), [LEFT, end + 8, end + 14], [16, 44, 66],
                [f"patch matrix: {patches} × {k}", "filter", "out"],
                ["ink bold start", "compute bold start", "good bold start"], [14, 13, 13],
            ),
        ]  # fmt: skip

    def _copies(self, sliding):
        """The numbers of the rows that are written, and those under the window, which fly into the next."""
        k, conv, pad = self.k, sliding.conv, sliding.conv.padding
        element = np.arange(k)
        channel, place = element // conv.kernel**2, element % conv.kernel**2
        down, across = place // conv.kernel, place % conv.kernel
        row, col = np.arange(sliding.number * k) // k, np.arange(sliding.number * k) % k
        x, y = [LEFT + col * self.wide], [ROWS_TOP + row * self.high]
        gap = 1 if min(self.wide, self.high) > 8 else 0.3
        wide, high = [np.full(len(row), self.wide - gap)], [np.full(len(row), self.high - gap)]
        count = sliding.number
        if not sliding.done:
            top, left = sliding.window
            x.append(np.array([self.corners[c][0] for c in channel]) + (left + pad + across) * self.cell)
            y.append(np.array([self.corners[c][1] for c in channel]) + (top + pad + down) * self.cell)
            wide.append(np.full(k, self.cell - 1))
            high.append(wide[-1])
            count += 1
        fits = self.wide >= WIDEST and self.high >= HIGHEST
        told = [f"{v:g}" for v in sliding.rows[:count].ravel()]
        if not fits:  # then only under the window
            told[: sliding.number * k] = [""] * (sliding.number * k)
        if self.cell < PIXEL:
            told[sliding.number * k :] = [""] * (len(told) - sliding.number * k)
        return [
            boxes(
                "copies", np.arange(count * k), *(np.concatenate(column) for column in (x, y, wide, high)),
                pick(("memory", "other"), np.tile(channel, count)),
                told, 12,
                [f"patch {i + 1}" for i in range(count) for _ in range(k)],
                pick(("a row of the matrix", "under the window"), np.repeat(np.arange(count) >= sliding.number, k)),
            )
        ]  # fmt: skip

    def say(self, sliding):
        patches, k = sliding.rows.shape
        most = counted(sliding.copies.max(), "time")
        if sliding.done:
            least = sliding.copies.min()
            each = f"each {most}" if least == sliding.copies.max() else f"between {least} and {most}"
            size = "as many as" if sliding.factor == 1 else f"{number(sliding.factor)} times"
            all_ = f"{counted(patches, 'patch', 'patches')} written: {sliding.rows.size:,} numbers, {size} the image."
            return f"{all_} Pixels were copied {each}."
        so_far = f"The pixel copied most so far: {most}." if sliding.number else "No pixel is copied yet."
        its = f"its {counted(k, 'number')} will be row {sliding.number + 1}"
        return f"The window lies on patch {sliding.number + 1} of {patches}: {its}. {so_far}"
