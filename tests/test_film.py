import io
import re

import numpy as np
import pytest
from PIL import Image

from accelerator_lib import systolic, views
from accelerator_lib.views import film


@pytest.fixture(autouse=True)
def at_full_length(monkeypatch):
    monkeypatch.delenv("ACCELERATOR_COURSE_SHORT", raising=False)


def states(k):
    return list(systolic.simulate(np.ones((3, k)), np.ones((k, 3))))


def test_a_gif_shows_every_state_and_rests_on_the_last():
    picture = Image.open(io.BytesIO(film.gif(views.systolic.Array(3, 3), states(4), seconds=0.2)))
    assert picture.format == "GIF" and picture.n_frames == len(states(4))
    times = []
    for frame in range(picture.n_frames):
        picture.seek(frame)
        times.append(picture.info["duration"])
    assert set(times[:-1]) == {200} and times[-1] == 600


def test_a_page_steps_without_python_and_every_picture_has_its_sentence():
    text = film.page(views.systolic.Array(3, 3), states(4), title="3 < 4")
    assert "<title>3 &lt; 4</title>" in text and "http" not in re.sub(r"data:[^\"]*", "", text)
    assert text.count("data:image/png") == len(states(4)) == len(re.findall(r"Cycle \d+:", text))


def test_long_simulations_keep_their_last_state():
    text = film.page(views.systolic.Array(3, 3), states(300))
    assert text.count("data:image/png") <= film.MOST + 1 and f"Cycle {len(states(300)) - 1}:" in text


def test_an_impossible_speed_is_refused():
    with pytest.raises(ValueError, match="seconds"):
        film.gif(views.systolic.Array(3, 3), states(2), seconds=0)
