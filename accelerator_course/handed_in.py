"""Handed in: a class list as text, read line by line, however long a hostile line or the whole of it may be."""


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
