"""Slips of the exercises of chapter 7."""

from itertools import product


def counter_not_reset(overflows):
    """Your count of clean steps goes on after an overflow. It begins again: 1,999 clean steps before it do not help."""
    return scaled(overflows, resets=False)


def doubles_ever_after(overflows):
    """After 2,000 clean steps you double in every further one. Doubling, too, begins the count anew."""
    return scaled(overflows, ever_after=True)


def one_step_late(overflows):
    """You double a step too late: the 2,000th clean step in a row doubles the scale."""
    return scaled(overflows, patience=2001)


def skips_nothing(overflows):
    """You count no step as skipped. In every step with an overflow the weights stay as they are."""
    return scaled(overflows)[0], 0


def scaled(overflows, patience=2000, resets=True, ever_after=False):
    """(scale, skipped), with one thing changed."""
    scale, clean, skipped = 65536.0, 0, 0
    for overflow in overflows:
        if overflow:
            scale, clean, skipped = scale / 2, 0 if resets else clean, skipped + 1
            continue
        clean += 1
        if clean >= patience:
            scale, clean = scale * 2, clean if ever_after else 0
    return scale, skipped


def one_format_for_all(parts, stored, limit):
    """You gave all parts the same format. Where noise counts often, or numbers are few, more bits are better spent."""
    fitting = [name for name in stored if spent((name,) * len(parts), parts, stored)[0] <= limit]
    return (min(fitting, key=lambda name: stored[name][1]),) * len(parts) if fitting else None


def noise_counted_once(parts, stored, limit):
    """You counted the noise of every part once. It counts as often as its second number says."""
    return chosen({name: (numbers, 1) for name, (numbers, _) in parts.items()}, stored, limit)


def least_bytes(parts, stored, limit):
    """You took what is smallest. Room that is left over is signal given away."""
    smallest = min(product(stored, repeat=len(parts)), key=lambda choice: spent(choice, parts, stored)[0])
    return smallest if spent(smallest, parts, stored)[0] <= limit else None


def bits_for_bytes(parts, stored, limit):
    """You compared bits with the limit, which is in bytes."""
    return chosen(parts, stored, limit / 8)


def first_fit(parts, stored, limit):
    """You took the first choice that fits. The order of the formats means nothing: look at all of them."""
    fitting = (c for c in product(stored, repeat=len(parts)) if spent(c, parts, stored)[0] <= limit)
    return next(fitting, None)


def chosen(parts, stored, limit):
    """The choice with the least noise that fits, None where none does."""
    found = ((spent(choice, parts, stored), choice) for choice in product(stored, repeat=len(parts)))
    return min(((noise, choice) for (size, noise), choice in found if size <= limit), default=(0, None))[1]


def spent(choice, parts, stored):
    """(bytes, noise) of a choice."""
    pairs = [(part, stored[name]) for part, name in zip(parts.values(), choice, strict=True)]
    return sum(n * bits / 8 for (n, _), (bits, _) in pairs), sum(times * each for (_, times), (_, each) in pairs)
