"""Engine: the rules of the scheduler, one method each; what enters is checked, and what leaves frozen, elsewhere."""

import heapq
from collections import deque

from accelerator_lib.llm.served import State


class Engine:
    """What changes while requests are served; `state` freezes it."""

    def __init__(self, requests, slots, blocks, block, budget, static, seconds):
        self.requests, self.slots, self.blocks, self.block = requests, slots, blocks, block
        self.budget, self.static, self.seconds = budget or float("inf"), static, seconds
        count = len(requests)
        self.to_come = deque(sorted(range(count), key=lambda i: requests[i].arrival))
        self.waiting, self.running = deque(), []
        self.cached, self.made, self.lost = [0] * count, [0] * count, [0] * count
        self.times = tuple([] for _ in requests)  # of every token; only ever longer, so that states may share them
        self.pages, self.returned, self.fresh = [()] * count, [], 0
        self.free, self.time, self.began, self.number = blocks, 0.0, 0.0, 0
        self.work, self.preempted, self.held = {}, (), ()

    def step(self):
        """Do a step; False when there is nothing left to do."""
        if not (self.running or self.waiting):
            if not self.to_come:
                return False
            self.time = max(self.time, self.requests[self.to_come[0]].arrival)
        while self.to_come and self.requests[self.to_come[0]].arrival <= self.time:
            self.waiting.append(self.to_come.popleft())
        self.work, self.preempted, left = {}, (), self.budget  # {request: tokens of this step}
        left = self._continue(left)
        if not self.preempted and not (self.static and self.running):
            self._enter(left)
        self._pass_time()
        self._make_tokens()
        return True

    def _continue(self, left):
        """Rule 1; returns what is left of the budget."""
        place = 0
        while place < len(self.running):
            i = self.running[place]
            tokens = min(self.requests[i].prompt + self.made[i] - self.cached[i], left)
            blocks = -(-(self.cached[i] + tokens) // self.block) - len(self.pages[i])
            while blocks > self.free and place < len(self.running):
                self._preempt(self.running.pop())
            if place == len(self.running):  # it was itself the newest
                break
            if tokens:
                self._take(i, tokens, blocks)
                left -= tokens
            place += 1
        return left

    def _preempt(self, i):
        self._release(i)
        self.cached[i] = 0
        self.lost[i] += 1
        self.waiting.appendleft(i)
        self.preempted += (i,)

    def _enter(self, left):
        """Rule 2."""
        while self.waiting and left and len(self.running) < self.slots:
            i = self.waiting[0]
            tokens = min(self.requests[i].prompt + self.made[i], left)
            blocks = -(-tokens // self.block)
            if blocks > self.free:
                break
            self.running.append(self.waiting.popleft())
            self._take(i, tokens, blocks)
            left -= tokens

    def _take(self, i, tokens, blocks):
        self.work[i] = tokens
        if blocks:
            self.free -= blocks
            taken = [heapq.heappop(self.returned) for _ in range(min(blocks, len(self.returned)))]
            more = blocks - len(taken)
            self.pages[i] += (*taken, *range(self.fresh, self.fresh + more))
            self.fresh += more

    def _release(self, i):
        self.free += len(self.pages[i])
        for page in self.pages[i]:
            heapq.heappush(self.returned, page)
        self.pages[i] = ()

    def _pass_time(self):
        """Rule 3."""
        prompt = decode = cached = 0
        for i, tokens in self.work.items():
            cached += self.cached[i]
            if self.made[i] and self.requests[i].prompt + self.made[i] - self.cached[i] == 1:
                decode += 1
            else:
                prompt += tokens
        passed = self.seconds(prompt, decode, cached)
        if not 0 < passed < 1e30:
            raise ValueError(f"a step must take a time above 0 s, not {passed!r}")
        self.began, self.time, self.number = self.time, self.time + passed, self.number + 1

    def _make_tokens(self):
        """Rule 4. `held` keeps the blocks as they were while the step went on."""
        self.held = tuple((i, self.pages[i]) for i in self.running)
        for i, tokens in self.work.items():
            self.cached[i] += tokens
            request = self.requests[i]
            if self.cached[i] == request.prompt + self.made[i]:
                self.times[i].append(self.time)
                self.made[i] += 1
                if self.made[i] == request.output:
                    self._release(i)
                    self.running.remove(i)

    def state(self):
        return State(
            self.number, self.began, self.time, self.requests, self.times, tuple(self.made), tuple(self.lost),
            self.work, self.held, tuple(self.waiting), self.preempted, tuple(self.cached),
            self.blocks, self.block, self.slots,
        )  # fmt: skip
