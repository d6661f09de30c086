"""Checks: what enters a public function is a usable number or name, or one clear line says why not.

signature    an annotation says what an argument may be     inputs    the checks themselves, and their lines
"""
