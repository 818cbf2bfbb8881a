"""MTEB's own evaluator and `eightk score` on the same predictions: the same numbers?

Runs all-MiniLM-L6-v2 over an exported data set, as an ordinary encoder and, sentence by sentence in its filing, through
`FilingSearch`; takes MTEB's scores from its result and eightk's from the predictions that MTEB saved. Exit code 1
where they differ.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mteb
import numpy as np
from sentence_transformers import SentenceTransformer

from eightk_mteb import FilingSearch, retrieval_task

# MTEB rounds to five digits.
TOLERANCE = 1.5e-5
# By MTEB's names; eightk's for qrels of answers alone, where every metric's tier is the answer.
METRICS = {
    "ndcg_at_10": "ndcg@10",
    "recall_at_1": "evidence_recall@1",
    "recall_at_5": "evidence_recall@5",
    "recall_at_10": "evidence_recall@10",
    "recall_at_20": "evidence_recall@20",
}
ANSWERS_ONLY = {"mrr_at_1000": "mrr"}
QUIET = {"batch_size": 64, "show_progress_bar": False}


class Remembering(SentenceTransformer):
    """Encodes each text once, however many tasks ask for it: on a CPU that is most of the time this takes."""

    def __init__(self, model: str) -> None:
        super().__init__(model, device="cpu")
        self.known: dict[tuple[str, str], np.ndarray] = {}

    def encode(self, inputs: Sequence[str], **options: Any) -> np.ndarray:
        name = options.get("prompt_name") or self.default_prompt_name
        prompt = options.get("prompt") or self.prompts.get(name or "") or ""
        new = list(dict.fromkeys(s for s in inputs if (prompt, s) not in self.known))
        if new:
            vectors = super().encode(new, **options | {"convert_to_tensor": False, "convert_to_numpy": True})
            self.known |= {(prompt, s): vector for s, vector in zip(new, vectors, strict=True)}
        return np.stack([self.known[prompt, s] for s in inputs])


class FilingMean:
    """The plainest use of context there is: each sentence's vector plus the mean over its filing."""

    def __init__(self, model: SentenceTransformer) -> None:
        self.model = model

    def encode_filing(self, sentences: Sequence[str], title: str) -> np.ndarray:
        vectors = self.encode_queries(sentences)
        return vectors + vectors.mean(axis=0)

    def encode_queries(self, queries: Sequence[str]) -> np.ndarray:
        return self.model.encode(list(queries), show_progress_bar=False)


def eightk_scores(binary: str, qrels: Path, run: Path, metrics: Sequence[str]) -> dict[str, float]:
    """Scores in `trec_eval`'s order of ties, which is MTEB's."""
    asked = [word for metric in metrics for word in ("--metric", metric)]
    done = subprocess.run([binary, "score", qrels, run, *asked, "--json"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"eightk score {run}: {done.stderr.strip()}")
    found = json.loads(done.stdout)["systems"][0]["metrics"]
    return {metric: found[metric]["trec"] for metric in metrics}


def as_run(predictions: Path, subset: str, run: Path) -> None:
    """MTEB's predictions as a TREC run. Scores are written so that they read back as the same numbers."""
    saved: dict[str, dict[str, float]] = json.loads(predictions.read_text(encoding="utf-8"))[subset]["test"]
    with run.open("w", encoding="utf-8") as lines:
        for query, hits in saved.items():
            for rank, (chunk, score) in enumerate(sorted(hits.items(), key=lambda h: (-h[1], h[0])), 1):
                lines.write(f"{query} Q0 {chunk} {rank} {score!r} mteb\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", default="eightk", help="the eightk to compare with")
    parser.add_argument("--mteb", type=Path, required=True, help="folder that `eightk export --format mteb` wrote")
    parser.add_argument("--trec", type=Path, required=True, help="the same data set by `eightk export --format trec`")
    parser.add_argument("--model", required=True, help="folder of a sentence-transformers model")
    parser.add_argument("--out", type=Path, required=True, help="folder for predictions and runs")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)

    encoder = Remembering(args.model)
    in_filing = FilingSearch(FilingMean(encoder), "eightk/filing-mean")
    plain: Any = encoder
    wrong = 0
    for name, model, graded, titles in [
        ("EightkAnswers", plain, False, False),
        ("EightkGraded", plain, True, False),
        ("EightkAnswersTitles", plain, False, True),
        ("EightkAnswersInFiling", in_filing, False, False),
    ]:
        task = retrieval_task(args.mteb, name=name, graded=graded, titles=titles)
        # Another run's predictions under this name would be added to.
        predictions = args.out / f"{name}_predictions.json"
        predictions.unlink(missing_ok=True)
        result = mteb.evaluate(model, task, cache=None, prediction_folder=args.out, encode_kwargs=QUIET)
        theirs: dict[str, float] = result.task_results[0].scores["test"][0]
        metrics = METRICS if graded else METRICS | ANSWERS_ONLY
        qrels = args.trec / ("qrels.graded.trec" if graded else "qrels.answer.trec")
        run = args.out / f"{name}.run"
        as_run(predictions, "graded" if graded else "default", run)
        for file in (run, predictions):
            ours = eightk_scores(args.bin, qrels, file, list(metrics.values()))
            for their_name, our_name in metrics.items():
                same = abs(theirs[their_name] - ours[our_name]) <= TOLERANCE
                wrong += not same
                print(
                    f"{name:22} {file.suffix:6} MTEB {their_name:12} {theirs[their_name]:.5f}   "
                    f"eightk {our_name:19} {ours[our_name]:.6f}   {'same' if same else 'DIFFERENT'}"
                )
    print(f"{len(encoder.known)} different texts encoded")
    print(f"{wrong} differences" if wrong else "MTEB and eightk agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
