"""What is refused: a call that raises an error whose line says why."""

import pytest


def refused(error, says, call, *given, **more):
    """Nothing, where `call(*given, **more)` raises such an error and its line matches `says`."""
    with pytest.raises(error, match=says):
        call(*given, **more)
