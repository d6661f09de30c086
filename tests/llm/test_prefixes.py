"""Shared prefixes: against strings compared in pairs, and against a cache that keeps whole beginnings."""

from hypothesis import given, settings
from hypothesis import strategies as st

from accelerator_lib.llm import prefixes


def prefix_hits(*given, **more):
    """Tokens of each prompt that need not be computed."""
    *_, end = prefixes.visits(*given, **more)
    return list(end.reused)


prompts = st.lists(st.lists(st.integers(0, 2), min_size=1, max_size=24), min_size=1, max_size=8)


@settings(max_examples=200, deadline=None)
@given(prompts, st.integers(1, 8))
def test_with_room_for_all_it_is_the_longest_beginning_that_any_earlier_prompt_had(given, block):
    def common(a, b):
        return next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))

    shared = ([common(prompt, old) // block * block for old in given[:place]] for place, prompt in enumerate(given))
    want = [max(one, default=0) for one in shared]
    assert prefix_hits(given, block) == want
    *_, end = prefixes.visits(given, block)  # room for all is what it has unless told otherwise
    assert list(end.reused) == want and not end.gone


def by_whole_beginnings(given, block, cache):
    """Hits with an LRU list of whole beginnings (tuples), the end of a prompt being older than its beginning."""
    kept, hits = [], []
    for prompt in given:
        parts = [tuple(prompt[:end]) for end in range(block, len(prompt) + 1, block)]
        found = 0
        while found < len(parts) and parts[found] in kept:
            found += 1
        hits.append(found * block)
        used = parts[:found]
        for part in parts[found:]:
            if len(kept) >= cache:
                others = [one for one in kept if one not in used]
                if not others:
                    break
                kept.remove(others[0])
            kept.append(part)
            used.append(part)
        for part in reversed(used):
            kept.remove(part)
            kept.append(part)
    return hits


@settings(max_examples=200, deadline=None)
@given(prompts, st.integers(1, 5), st.integers(1, 12))
def test_with_little_room_it_is_a_list_of_beginnings(given, block, cache):
    assert prefix_hits(given, block, cache) == by_whole_beginnings(given, block, cache)


@settings(max_examples=100, deadline=None)
@given(prompts, st.integers(1, 5), st.integers(1, 12))
def test_the_cache_is_a_tree_that_never_overflows(given, block, cache):
    before = set()
    for visit in prefixes.visits(given, block, cache):
        numbers = {node.number for node in visit.nodes}
        assert len(visit.nodes) == len(numbers) <= cache
        assert all(node.parent is None or node.parent in numbers for node in visit.nodes)
        assert numbers == (before - set(visit.gone)) | set(visit.made) and set(visit.hits) <= before
        assert visit.computed == visit.length - len(visit.hits) * block >= 0
        before = numbers


@settings(max_examples=100, deadline=None)
@given(prompts, st.integers(1, 4), st.integers(1, 4), st.sampled_from(prefixes.ROUTES))
def test_routes_by_lists_of_whole_beginnings(given, block, servers, route):
    kept, done, want = [set() for _ in range(servers)], [0] * servers, []
    for place, prompt in enumerate(given):
        parts = [tuple(prompt[:end]) for end in range(block, len(prompt) + 1, block)]
        found = [block * sum(part in one for part in parts) for one in kept]
        ranks = {"in turn": [n != place % servers for n in range(servers)], "by load": done}
        ranks["by prefix"] = [(-here, of_all) for here, of_all in zip(found, done, strict=True)]
        ranks["by both"] = [of_all - here for here, of_all in zip(found, done, strict=True)]
        here = ranks[route].index(min(ranks[route]))
        kept[here] |= set(parts)
        done[here] += len(prompt) - found[here]
        want.append(here)
    *_, end = prefixes.visits(given, block, servers=servers, route=route)
    assert (end.servers, end.done) == (tuple(want), tuple(done))


def test_prompts_behind_the_same_hundred_tokens_and_whoever_comes_back():
    pair = [[0] * 100 + [1] * 20, [0] * 100 + [2] * 30]
    assert prefix_hits(pair, block=16) == [0, 96] and prefix_hits(pair, block=64) == [0, 64]
    assert prefix_hits(pair, block=1) == [0, 100] and prefix_hits(pair, block=128) == [0, 0]
    talks = prefixes.chats(100)
    assert talks["Ann 2"][: len(talks["Ann 1"])] == talks["Ann 1"] and talks["Ben 1"][:100] == talks["Ann 1"][:100]
    hits = dict(zip(talks, prefix_hits(talks.values(), 1), strict=True))
    assert hits["Ann 2"] == len(talks["Ann 1"]) and hits["Dora 1"] == 100
    assert max(map(len, prefixes.chats(200).values())) <= 320


def test_long_prompts_take_time_as_their_tokens_do():
    """Each block of the third one has to take the place of another, past many of its own."""
    first, other = tuple(range(20_000)), tuple(range(20_000, 40_000))
    assert prefix_hits([first, other, first + (-1,) * 20_000], 1, 40_000) == [0, 0, 20_000]
    assert prefix_hits([tuple(range(100_000))], 1, 50_000) == [0]
