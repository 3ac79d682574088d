"""Words of the program: numbers, lists and plurals inside sentences, and sentences that several parts say.

A sentence that one place says stands there, whole, with names for what is filled in. One that several
places say stands here, in :mod:`engine.wording.sentences`.
"""
