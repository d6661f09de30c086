from accelerator_lib import data


def test_energies_name_the_level_they_are_asked_for_by():
    rows = [row for row in data.load("energy")["memory_access"] if "level" in row]
    pairs = [(row["level"], row["node_nm"]) for row in rows]
    assert len(pairs) == len(set(pairs)) == 13
    for row in data.load("energy")["dram_by_generation"]:
        assert type(row["access"]) is bool and (row["value"] or not row["access"])
