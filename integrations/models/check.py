"""Do models of every supported architecture give the vectors that their own Python libraries give?

    integrations/models/check.py --texts texts.json --embed target/release/eightk embed --model

needs `pip install torch sentence-transformers model2vec wordllama`. `--texts` is a JSON list of strings, best with some that are long and
odd; `--embed` is what, followed by a folder and `-`, reads JSON lines `{"text", "spans"?}` and answers `{"vectors": [[…], …]}`.
No weights are fetched: the folders are made here, with random ones, in the layouts in which real ones are published. Alone, and where
the model sees a whole text also as chunks of one long text. Exit code 1 where a cosine is below the limit.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

import tiny

LIMIT = 0.99999
LONGEST = 6000  # tokens
Span = tuple[int, int]


@dataclass
class Case:
    """A folder, and what it should answer. `late`: a text, its chunks and their vectors."""

    name: str
    folder: Path
    texts: list[str]
    vectors: np.ndarray
    late: list[tuple[str, list[Span], np.ndarray]] = field(default_factory=list)


def ask(command: Sequence[str], folder: Path, lines: Sequence[dict]) -> list[np.ndarray]:
    given = "".join(json.dumps(line) + "\n" for line in lines)
    done = subprocess.run([*command, str(folder), "-"], input=given, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} {folder}: {done.stderr}")
    return [np.array(json.loads(line)["vectors"]) for line in done.stdout.splitlines()]


def cosines(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    unit = lambda m: m / np.linalg.norm(m.astype(np.float64), axis=1, keepdims=True)
    return (unit(a) * unit(b)).sum(axis=1)


def joined(texts: Sequence[str]) -> tuple[str, list[Span]]:
    text, spans = "", []
    for piece in texts:
        text += " " if text else ""
        spans.append((len(text), len(text) + len(piece)))
        text += piece
    return text, spans


def late_vectors(model: SentenceTransformer, text: str, spans: Sequence[Span], prompt: str) -> np.ndarray:
    """Mean of the last states of the tokens whose offsets overlap each span, special tokens left out."""
    transformer = model[0]
    model.encode(["x"], prompt="", show_progress_bar=False)
    encoded = transformer.tokenizer(prompt + text, return_tensors="pt", return_offsets_mapping=True, return_special_tokens_mask=True)
    offsets, special = encoded.pop("offset_mapping")[0], encoded.pop("special_tokens_mask")[0]
    encoded.pop("token_type_ids", None)
    with torch.no_grad():
        states = transformer.model(**encoded).last_hidden_state[0]
    vectors = []
    for start, end in spans:
        start, end = start + len(prompt), end + len(prompt)
        inside = (offsets[:, 0] < end) & (offsets[:, 1] > start) & (special == 0)
        vectors.append(states[inside].mean(dim=0).numpy())
    return np.stack(vectors)


def place(work: Path, name: str) -> Path:
    return work / "".join(c if c.isalnum() else "-" for c in name)


def static_cases(work: Path, texts: list[str], only: str) -> list[Case]:
    words, pieces, likely = tiny.wordpiece(texts), tiny.byte_level(texts), tiny.unigram(texts)
    makers: dict[str, Callable[[Path], tiny.Encode | None]] = {
        "wordllama's table": tiny.wordllama,
        "model2vec f32": lambda f: tiny.model2vec(f, words, "float32", True, 512, False),
        "model2vec f16, no unit length": lambda f: tiny.model2vec(f, pieces, "float16", False, 512, False),
        "model2vec int8, unigram": lambda f: tiny.model2vec(f, likely, "int8", True, 512, False),
        "model2vec at most 9 tokens": lambda f: tiny.model2vec(f, words, "float32", True, 9, False),
        "model2vec without limit": lambda f: tiny.model2vec(f, words, "float32", True, None, False),
        "model2vec shared rows": lambda f: tiny.model2vec(f, words, "float32", True, 512, True),
        "static f32": lambda f: tiny.static_embedding(f, words, False, torch.float32),
        "static bf16, nested": lambda f: tiny.static_embedding(f, likely, True, torch.bfloat16),
    }
    cases = []
    for name, make in makers.items():
        if not name.startswith(only):
            continue
        folder = place(work, name)
        encode = make(folder)
        if encode is None:
            print(f"{name:40} is not installed")
            continue
        vectors = encode(texts)
        # Nothing known in the text: zeros there, an error here.
        known = [i for i, v in enumerate(vectors) if np.any(v)]
        cases.append(Case(name, folder, [texts[i] for i in known], vectors[known]))
    return cases


def transformer_cases(work: Path, texts: list[str], only: str) -> list[Case]:
    words, pieces = tiny.wordpiece(texts), tiny.byte_level(texts)
    makers: dict[str, Callable[[Path], SentenceTransformer]] = {
        "modernbert": lambda f: tiny.modernbert(f, pieces, 8192, old_keys=False),
        "modernbert, keys of 2024, first token": lambda f: tiny.modernbert(f, pieces, 8192, old_keys=True),
        "modernbert with biases, mean": lambda f: tiny.modernbert(f, pieces, 8192, old_keys=False, biases=True),
        "nomic": lambda f: tiny.nomic(f, words, 8192, old_keys=False),
        "nomic, published keys": lambda f: tiny.nomic(f, words, 8192, old_keys=True),
        "nomic, rotations that slow down": lambda f: tiny.nomic(f, words, 8192, old_keys=True, scaled=True),
    }
    padded_by_one = tiny.wordpiece(texts, marks=tiny.MARKS_PADDED_BY_ONE)
    for kind in ("bert", "distilbert", "mpnet", "roberta", "xlm-roberta"):
        tokenizer = words if "bert" in kind and "roberta" not in kind else padded_by_one
        makers[kind] = lambda f, t=tokenizer, k=kind: tiny.kin(f, t, 8192, k)
    short, long = joined(texts[:12]), joined(texts)
    # As long as fits: tokens of these small vocabularies have some three characters.
    long = (long[0][: 3 * LONGEST], [span for span in long[1] if span[1] <= 3 * LONGEST])
    texts = texts[::3]
    cases = []
    for name, make in makers.items():
        if not name.startswith(only):
            continue
        folder = place(work, name)
        model = make(folder)
        prompt = model.prompts["document"]

        def one(text: str) -> np.ndarray:
            # A short text before each: once a text was longer than those of the training, rotations stay slow there until a short one.
            model.encode(["x"], prompt="", show_progress_bar=False)
            return model.encode([text], prompt=prompt, show_progress_bar=False)

        vectors = np.concatenate([one(t) for t in texts])
        late = [(text, spans, late_vectors(model, text, spans, prompt)) for text, spans in (short, long)]
        cases.append(Case(name, folder, texts, vectors, late))
    return cases


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--only", default="", help="cases whose name begins so")
    parser.add_argument("--embed", nargs=argparse.REMAINDER, required=True, help="stands last: all behind it is the command")
    options = parser.parse_args()
    texts = [t for t in json.loads(options.texts.read_text()) if t.strip()]
    failed = 0
    with tempfile.TemporaryDirectory() as work:
        cases = static_cases(Path(work), texts, options.only) + transformer_cases(Path(work), texts, options.only)
        for case in cases:
            given = [row[0] for row in ask(options.embed, case.folder, [{"text": t} for t in case.texts])]
            same = cosines(np.stack(given), case.vectors)
            lengths = np.linalg.norm(given, axis=1) / np.linalg.norm(case.vectors.astype(np.float64), axis=1)
            line = f"{case.name:40} {len(same):4} texts, least cosine {same.min():.7f}, lengths {lengths.min():.5f}–{lengths.max():.5f}"
            bad = int((same < LIMIT).sum() + (np.abs(lengths - 1) > 1e-3).sum())
            for text, spans, vectors in case.late:
                [given] = ask(options.embed, case.folder, [{"text": text, "spans": spans}])
                same = cosines(given, vectors)
                line += f"; {len(spans)} chunks of one text {same.min():.7f}"
                bad += int((same < LIMIT).sum())
            failed += bad > 0
            print(line + (f"  <- {bad} wrong" if bad else ""), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
