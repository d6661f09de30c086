"""No answer stands above its question, and the length of an option does not tell which one is right."""

import re

import pytest
from asked import right
from claims import chapter
from numerals import numerals, places

from accelerator_lib.quiz import bank, keys

TOPICS = ("workload", "memory", "roofline", "tiling")


def choices(topic):
    """[(id, [(text, whether it is right)])] of everything that is answered by choosing among words."""
    content = bank.load(topic)
    for item in (*content.get("quick", ()), *content["quiz"]):
        if item["type"] == "choice":
            yield item["id"], [(option["text"], option.get("right", False)) for option in item["options"]]
    for entry in content["predict"]:
        if all("text" in option for option in entry["options"]):
            yield entry["id"], [(option["text"], bank.is_answer(option, entry)) for option in entry["options"]]


@pytest.mark.parametrize("topic", TOPICS)
def test_the_right_option_is_no_more_often_the_longest_or_shortest_than_chance_makes_it(topic):
    longest, shortest, chance = [], [], 0.0
    for id, options in choices(topic):
        ((answer, _),) = (option for option in options if option[1])
        others = [len(text) for text, is_right in options if not is_right]
        longest += [id] * (len(answer) > max(others))
        shortest += [id] * (len(answer) < min(others))
        chance += 1 / len(options)
    assert len(longest) <= chance and len(shortest) <= chance, (longest, shortest, chance)


@pytest.mark.parametrize("topic", TOPICS)
def test_no_number_that_is_to_be_predicted_stands_above_its_prediction(topic):
    read, above, found = chapter(topic), [], []
    for id, cell in read.cells.items():
        asked = re.findall(r'(?:predict\("[a-z]+"|quick_check\()((?:,? ?"[a-z0-9-]+")+)', cell.source)
        for question in re.findall(r'"([a-z0-9-]+)"', asked[0]) if asked else ():
            entry = next((one for one in bank.load(topic)["predict"] if one["id"] == question), None)
            if entry and (answer := keys.evaluate(entry["answer"])):
                text = "\n".join(above)
                said = [n[2] for n in numerals(text) if abs(n[2] * n[4] / float(answer) - 1) < 0.003]
                found += [(question, said)] if said else []
            above.append(read.texts[f"question {question}"])
        above.append(read.texts[id])
    assert not found


@pytest.mark.parametrize("topic", TOPICS)
def test_no_right_option_is_a_phrase_of_the_chapter(topic):
    read = chapter(topic)
    prose = "\n".join(read.texts[id] for id in read.cells)
    pool = (item for item in bank.items(topic) if item["type"] == "choice")
    assert not [(item["id"], text) for item in pool for text in right(item) if places(text, prose)]


def test_the_law_of_the_lower_bound_stands_below_its_prediction():
    read = chapter("tiling")
    ids = list(read.cells)
    assert not re.search("√S|sqrt", "\n".join(read.texts[id] for id in ids[: ids.index("bound")]))
    assert "√S" in read.texts["bound-seen"]
