"""An exported eightk data set as an MTEB task, and whole filings for models that use context.

MTEB shows an encoder loose sentences, so by itself it cannot tell a contextual model from an ordinary one.
Its search protocol, however, is handed the corpus with every column: `FilingSearch` gathers the sentences of
each filing, in order, and asks the model for one vector per sentence.

    eightk export set --format mteb --out set-mteb

    import mteb
    from eightk_mteb import FilingSearch, retrieval_task

    result = mteb.evaluate(FilingSearch(my_model, "me/my-model"), retrieval_task("set-mteb"), cache=None)

Written for MTEB 2.26; needs nothing else that MTEB does not install.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.abstasks.task_metadata import TaskMetadata
from mteb.models.model_meta import ModelMeta

__all__ = ["ContextualEncoder", "FilingSearch", "retrieval_task"]


def retrieval_task(
    folder: str | Path,
    *,
    name: str = "EightkRetrieval",
    graded: bool = False,
    titles: bool = False,
) -> AbsTaskRetrieval:
    """The task of a folder that `eightk export --format mteb` wrote.

    name: what MTEB calls the task and its files. Tasks of different folders or settings need different names:
        MTEB adds predictions to a file of the same name without looking whose they are.
    graded: score against answers (2) and evidence (1) rather than answers alone. Only nDCG tells the two apart;
        MTEB's recall then is eightk's `evidence_recall`, otherwise it is `standard_recall`.
    titles: let MTEB put the title before the sentence. A title names the company, which is what a model is to
        find out, so the default is not to.
    """
    folder = Path(folder).resolve()
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    if manifest.get("format") != "mteb":
        raise ValueError(f"{folder} was not written by `eightk export --format mteb`")
    if titles and manifest["bare"]:
        raise ValueError(f"{folder} was exported with --bare: its titles cannot be put before the sentences")
    metadata = TaskMetadata(
        name=name,
        description="Sentences of SEC 8-K filings that leave the company's name to their context.",
        # The fingerprint as revision: scores of other rows are never taken for these.
        dataset={"path": str(folder), "revision": manifest["fingerprint"]},
        type="Retrieval",
        category="t2t",
        eval_splits=["test"],
        # MTEB asks for the configs `graded-corpus`, `graded-queries`, `graded-qrels` of a subset `graded`.
        eval_langs={"graded": ["eng-Latn"]} if graded else ["eng-Latn"],
        main_score="ndcg_at_10",
        domains=["Financial", "Legal", "Written"],
        license="not specified",
    )
    task = type(name, (_FilingRetrieval,), {"metadata": metadata, "titles": titles})
    return task()


class _FilingRetrieval(AbsTaskRetrieval):
    """Retrieval of sentences; titles stay out of the text unless asked for."""

    titles = False

    def dataset_transform(self, num_proc: int | None = None, **kwargs: Any) -> None:
        for splits in self.dataset.values():
            for split in splits.values():
                if not self.titles and "title" in split["corpus"].column_names:
                    split["corpus"] = split["corpus"].rename_column("title", "filing_title")


class ContextualEncoder(Protocol):
    """A model that sees a sentence in its filing."""

    def encode_filing(self, sentences: Sequence[str], title: str) -> Any:
        """One vector per sentence of one filing, in order: an array of shape (sentences, dimensions).

        title: `{company} 8-K {date}`. To use it is to be told the company's name; say so beside the scores.
        """
        ...

    def encode_queries(self, queries: Sequence[str]) -> Any:
        """One vector per query: an array of shape (queries, dimensions)."""
        ...


class FilingSearch:
    """A contextual encoder behind MTEB's search protocol: cosine over whole filings' sentences."""

    def __init__(self, encoder: ContextualEncoder, name: str, revision: str = "1") -> None:
        """name, revision: as MTEB writes them into results, `organisation/model` and a version."""
        self.encoder = encoder
        self.mteb_model_meta = ModelMeta.create_empty({"name": name, "revision": revision})
        self._ids: list[str] = []
        self._vectors = np.empty((0, 0))

    def index(self, corpus: Any, **_: Any) -> None:
        """Encodes the corpus, one filing after the other."""
        title_column = next((c for c in ("filing_title", "title") if c in corpus.column_names), None)
        filings: dict[str, list[tuple[int, str, str, str]]] = {}
        titles = corpus[title_column] if title_column else [""] * len(corpus)
        columns = (corpus["doc_id"], corpus["chunk_idx"], corpus["id"], corpus["text"])
        for filing, place, chunk, text, title in zip(*columns, titles, strict=True):
            filings.setdefault(filing, []).append((place, chunk, text, title or ""))
        self._ids, blocks = [], []
        for filing, rows in filings.items():
            rows.sort()
            sentences = [text for _, _, text, _ in rows]
            vectors = _unit(self.encoder.encode_filing(sentences, rows[0][3]))
            if len(vectors) != len(rows):
                raise ValueError(f"filing {filing} has {len(rows)} sentences, the model gave {len(vectors)} vectors")
            self._ids += [chunk for _, chunk, _, _ in rows]
            blocks.append(vectors)
        self._vectors = np.concatenate(blocks) if blocks else np.empty((0, 0))

    def search(
        self,
        queries: Any,
        *,
        top_k: int,
        top_ranked: dict[str, list[str]] | None = None,
        **_: Any,
    ) -> dict[str, dict[str, float]]:
        """The best sentences of each query with their scores; ties in the order that `trec_eval` uses."""
        vectors = _unit(self.encoder.encode_queries(list(queries["text"])))
        place = {chunk: i for i, chunk in enumerate(self._ids)}
        results: dict[str, dict[str, float]] = {}
        for query, vector in zip(queries["id"], vectors, strict=True):
            scores = self._vectors @ vector
            among = range(len(scores)) if top_ranked is None else [place[c] for c in top_ranked.get(query, [])]
            best = sorted(((float(scores[i]), self._ids[i]) for i in among), reverse=True)[:top_k]
            results[query] = {chunk: score for score, chunk in best}
        return results


def _unit(vectors: Any) -> np.ndarray:
    """Vectors of length 1, in double precision: in half precision near-equal sentences would tie."""
    vectors = np.asarray(vectors, dtype=np.float64)
    if vectors.ndim != 2 or not np.isfinite(vectors).all():
        raise ValueError("the model must give one vector of finite numbers per text")
    return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
