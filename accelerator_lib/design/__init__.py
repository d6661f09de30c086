"""The accelerator zoo and the capstone: published chips on equal terms, and one of your own.

costs         from a wafer to a token: dies, chips, hours, tokens
volume        a chip of one's own against one that is bought
exotic        analog, light, spikes, zeros: each with its budget
"""

__all__ = []
