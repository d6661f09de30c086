"""The face of the searches."""

from accelerator_lib.design import explore


def test_what_the_face_offers_checks_what_enters():
    assert all(hasattr(getattr(explore, name), "kinds") for name in explore.__all__)
