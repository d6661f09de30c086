from accelerator_lib.codesign import loopnest, mapspace, nest, race, search, walking


def test_the_face_shows_what_its_modules_hold():
    owners = {
        "traffic": nest,
        "walk": walking,
        "mapspace": mapspace,
        "joules": mapspace,
        "search": search,
        "race": race,
    }
    assert all(getattr(loopnest, name) is getattr(owner, name) for name, owner in owners.items())
    assert all(hasattr(loopnest, name) for name in loopnest.__all__)
