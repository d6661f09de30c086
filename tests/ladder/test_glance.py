"""Glance: a place for each rung, with one's own best where there is one."""

from accelerator_course import ladder
from accelerator_course.ladder import glance
from accelerator_course.ladder.shown import score


def test_every_rung_has_its_place_between_bound_and_slow_kernel():
    places = glance.glance({}, set())
    assert [place.id for place in places] == list(ladder.rungs())
    assert [place.number for place in places] == list(range(1, len(places) + 1))
    for place in places:
        assert place.bound <= place.par < place.slow == score(place.id)
        assert place.mine is None and not place.star and place.times(None) is None
        assert place.times(place.bound) == 1 < place.times(place.slow)


def test_ones_own_best_and_stars_are_taken_as_given():
    par = ladder.rung("copy").par
    found = {place.id: place for place in glance.glance({"copy": par, "map": 2e4, "unknown": 1.0}, {"copy"})}
    assert (found["copy"].mine, found["copy"].star) == (par, True) and found["copy"].times(par) == 1
    assert (found["map"].mine, found["map"].star) == (2e4, False) and found["scan"].mine is None
