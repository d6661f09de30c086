"""Handed in: a class list as text, read line by line, however long a hostile line or the whole of it may be."""

from accelerator_lib.checks.inputs import described


def lines(source, most_letters, most_bytes):
    """Lines of a binary file as text; of a line that is too long only the beginning is kept in memory.

    Raises ValueError beyond so many bytes.
    """
    left = most_bytes
    while line := source.readline(most_letters):
        whole = line
        while not line.endswith(b"\n") and left > 0 and (line := source.readline(1 << 16)):
            left -= len(line)  # the rest of a line that never ends
        left -= len(whole)
        if left <= 0:
            raise ValueError(f"more than {most_bytes / 1e6:g} MB: that is no list of tokens")
        yield whole.decode("utf-8", "replace")


def told(lines, most, refused):
    """Yield (number, line) of those that say something; the first of too many is `refused`. Raises TypeError."""
    for number, line in enumerate(lines, 1):
        if number > most:
            refused[number] = f"only the first {most:,} lines are read"
            return
        if not isinstance(line, str):
            raise TypeError(f"line {number} must be text, not {described(line)}")
        if line.strip() and not line.lstrip().startswith("#"):
            yield number, line


def refusals(refused, most):
    """What is said of {line number: why it was refused}: so many each, the others together."""
    yield from (f"line {number} refused: {reason}" for number, reason in list(refused.items())[:most])
    if len(refused) > most:
        yield f"{len(refused) - most:,} further lines refused"
