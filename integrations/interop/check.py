"""The same numbers as pytrec_eval, ir_measures and ranx, from files that eightk exports, with their own readers.

    integrations/interop/check.py --bin target/release/eightk --dataset set --run runs/runs/bm25-title.run

needs `pip install pytrec_eval-terrier ir_measures ranx`. What must agree and does not is counted, and gives exit code 1.
Where a tool follows another rule (ties, queries without results, single precision) the difference is shown together with
the rule: those lines begin with `rule`, and are no failures.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import ir_measures
import pytrec_eval
from ranx import Qrels as RanxQrels
from ranx import Run as RanxRun
from ranx import evaluate as ranx_evaluate

TOLERANCE = 1e-6
SHUFFLES = 400
Grades = dict[str, dict[str, int]]
Hits = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Score:
    """One score under four names. `level`: the lowest grade that counts as relevant."""

    eightk: str
    pytrec: str
    ir: str
    ranx: str
    level: int = 1


def scores(level: int) -> list[Score]:
    """The scores for qrels whose answers have the grade `level`."""
    suffix = "" if level == 1 else f"-l{level}"
    rel = f"(rel={level})"
    return [
        Score("ndcg@10", "ndcg_cut_10", "nDCG@10", "ndcg@10"),
        Score("standard_recall@10", "recall_10", f"R{rel}@10", f"recall@10{suffix}", level),
        Score("mrr", "recip_rank", f"RR{rel}", f"mrr{suffix}", level),
        Score("map", "map", f"AP{rel}", f"map{suffix}", level),
    ]


class Report:
    """Prints comparisons and counts those that fail."""

    def __init__(self) -> None:
        self.failed = 0
        self.done = 0

    def same(self, what: str, tool: str, theirs: float, ours: float) -> None:
        self.check(f"{what:24} {tool:12} {theirs:.9f}   eightk {ours:.9f}", abs(theirs - ours) <= TOLERANCE)

    def check(self, what: str, holds: bool) -> None:
        self.done += 1
        self.failed += not holds
        print(f"{'same' if holds else 'DIFFERENT':10}{what}")

    @staticmethod
    def rule(what: str) -> None:
        print(f"{'rule':10}{what}")


class Eightk:
    """The binary under test."""

    def __init__(self, binary: str) -> None:
        self.binary = binary

    def call(self, *args: str | Path) -> str:
        done = subprocess.run([self.binary, *args], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{self.binary} {' '.join(map(str, args))}\n{done.stderr}")
        return done.stdout

    def score(self, qrels: Path, run: Path, names: Iterable[str]) -> dict[str, dict[str, float]]:
        """Each metric in all its readings of ties: `trec`, `expected`, `best`, `worst`."""
        asked = [word for name in names for word in ("--metric", name)]
        return json.loads(self.call("score", qrels, run, *asked, "--json"))["systems"][0]["metrics"]


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def by_pytrec(qrels: Grades, run: Hits, score: Score) -> float:
    """Mean over all judged queries; pytrec_eval itself gives nothing for those the run lacks."""
    results = pytrec_eval.RelevanceEvaluator(qrels, {score.pytrec}, relevance_level=score.level).evaluate(run)
    return sum(r[score.pytrec] for r in results.values()) / len(qrels)


def by_ir_measures(qrels: Grades, run: Hits, score: Score) -> float:
    measure = ir_measures.parse_measure(score.ir)
    return float(ir_measures.calc_aggregate([measure], qrels, run)[measure])


def by_ranx(qrels: Grades, run: Hits, score: Score) -> float:
    judged, retrieved = RanxQrels(qrels), RanxRun(run)
    return float(ranx_evaluate(judged, retrieved, score.ranx, make_comparable=True))


TOOLS: dict[str, Callable[[Grades, Hits, Score], float]] = {
    "pytrec_eval": by_pytrec,
    "ir_measures": by_ir_measures,
    "ranx": by_ranx,
}


def trec_order(hits: Mapping[str, float]) -> list[str]:
    """As `trec_eval` ranks: falling score, then falling id by bytes."""
    return sorted(hits, key=lambda d: (hits[d], d.encode()), reverse=True)


def strict(order: Sequence[str]) -> dict[str, float]:
    """Scores without ties, whole numbers so that single precision holds them."""
    return {document: float(len(order) - i) for i, document in enumerate(order)}


def write_run(path: Path, run: Hits) -> Path:
    with path.open("w", encoding="utf-8") as lines:
        for query, hits in run.items():
            for rank, (document, score) in enumerate(hits.items(), 1):
                lines.write(f"{query} Q0 {document} {rank} {score!r} interop\n")
    return path


def own_readers(report: Report, qrels_file: Path, run_file: Path, qrels: Grades, run: Hits) -> None:
    """Every tool's own reader finds the ids, the grades and the scores that stand in the files."""
    with qrels_file.open() as file:
        report.check("qrels as pytrec_eval reads them", pytrec_eval.parse_qrel(file) == qrels)
    with run_file.open() as file:
        report.check("run as pytrec_eval reads it", pytrec_eval.parse_run(file) == run)
    read: Grades = {}
    for row in ir_measures.read_trec_qrels(str(qrels_file)):
        read.setdefault(row.query_id, {})[row.doc_id] = row.relevance
    report.check("qrels as ir_measures reads them", read == qrels)
    report.check("qrels as ranx reads them", RanxQrels.from_file(str(qrels_file), kind="trec").to_dict() == qrels)
    report.check("run as ranx reads it", RanxRun.from_file(str(run_file), kind="trec").to_dict() == run)


def without_ties(report: Report, eightk: Eightk, work: Path, judged: dict[str, Path], run: Hits) -> None:
    run = {query: strict(trec_order(hits)) for query, hits in run.items()}
    run_file = write_run(work / "strict.run", run)
    for name, qrels_file in judged.items():
        qrels = read_qrels(qrels_file)
        graded = max(g for grades in qrels.values() for g in grades.values()) > 1
        print(f"\n== without ties, {name} judgements, {len(qrels)} queries")
        own_readers(report, qrels_file, run_file, qrels, run)
        wanted = scores(2 if graded else 1)
        if graded:
            wanted.append(Score("evidence_recall@10", "recall_10", "R@10", "recall@10"))
        ours = eightk.score(qrels_file, run_file, [s.eightk for s in wanted])
        for score in wanted:
            readings = ours[score.eightk]
            for tool, compute in TOOLS.items():
                report.same(score.eightk, tool, compute(qrels, run, score), readings["trec"])
            level = len({readings[r] for r in ("trec", "expected", "best", "worst")}) == 1
            report.check(f"{score.eightk:24} one value whatever the reading of ties", level)


def with_ties(report: Report, eightk: Eightk, work: Path, qrels_file: Path, run: Hits) -> None:
    """Groups of seven tied documents. pytrec_eval's order is ours; the expected value is the mean over all orders."""
    groups = {q: trec_order(hits) for q, hits in run.items()}
    tied = {q: {d: float(-(i // 7)) for i, d in enumerate(order)} for q, order in groups.items()}
    qrels = read_qrels(qrels_file)
    wanted = scores(1)
    print("\n== groups of seven tied documents, answers alone")
    ours = eightk.score(qrels_file, write_run(work / "tied.run", tied), [s.eightk for s in wanted])
    rng = random.Random(20)
    shuffled_lines = [{q: dict(rng.sample(list(hits.items()), len(hits))) for q, hits in tied.items()} for _ in range(5)]
    again = eightk.score(qrels_file, write_run(work / "shuffled.run", shuffled_lines[0]), [s.eightk for s in wanted])
    draws: dict[str, list[float]] = {s.eightk: [] for s in wanted}
    for _ in range(SHUFFLES):
        orders = {q: sorted(hits, key=lambda d: (-hits[d], rng.random())) for q, hits in tied.items()}
        untied = {q: strict(order) for q, order in orders.items()}
        for score in wanted:
            draws[score.eightk].append(by_pytrec(qrels, untied, score))
    for score in wanted:
        readings = ours[score.eightk]
        report.same(score.eightk, "pytrec_eval", by_pytrec(qrels, tied, score), readings["trec"])
        report.same(score.eightk, "ir_measures", by_ir_measures(qrels, tied, score), readings["trec"])
        report.check(f"{score.eightk:24} the same whatever the order of lines", again[score.eightk] == readings)
        drawn = draws[score.eightk]
        error = (mean([(x - mean(drawn)) ** 2 for x in drawn]) / len(drawn)) ** 0.5
        report.check(
            f"{score.eightk:24} expected {readings['expected']:.6f}, mean of pytrec_eval over {SHUFFLES} shuffles "
            f"{mean(drawn):.6f} ± {error:.6f}",
            abs(mean(drawn) - readings["expected"]) <= 4 * error + TOLERANCE,
        )
        found = [by_ranx(qrels, lines, score) for lines in shuffled_lines]
        within = readings["worst"] - TOLERANCE <= min(found) and max(found) <= readings["best"] + TOLERANCE
        report.check(f"{score.eightk:24} ranx lies between eightk's worst and best", within)
        report.rule(
            f"{score.eightk:24} ranx sorts without a second key, by a sort that is not stable: {min(found):.6f} to "
            f"{max(found):.6f} over {len(found)} orders of lines; eightk {readings['trec']:.6f} for all"
        )
    other = by_ir_measures(qrels, tied, Score("mrr", "recip_rank", "RR@1000000", "mrr"))
    report.rule(
        f"ir_measures takes RR@k from another provider than RR, which breaks ties in another order: {other:.6f} for a k "
        f"beyond the run, RR {ours['mrr']['trec']:.6f}"
    )


def missing_query(report: Report, eightk: Eightk, work: Path, qrels_file: Path, run: Hits) -> None:
    """A query that the run lacks counts 0."""
    qrels = read_qrels(qrels_file)
    score = Score("ndcg@10", "ndcg_cut_10", "nDCG@10", "ndcg@10")
    full = {query: strict(trec_order(hits)) for query, hits in run.items() if query in qrels}
    # The one that scores best, so that leaving it out shows.
    best = max(full, key=lambda q: by_pytrec({q: qrels[q]}, {q: full[q]}, score))
    partial = {query: hits for query, hits in full.items() if query != best}
    print("\n== a query without results")
    ours = eightk.score(qrels_file, write_run(work / "partial.run", partial), ["ndcg@10"])["ndcg@10"]["trec"]
    for tool, compute in TOOLS.items():
        report.same("ndcg@10", tool, compute(qrels, partial, score), ours)
    found = pytrec_eval.RelevanceEvaluator(qrels, {score.pytrec}).evaluate(partial)
    own = mean([r[score.pytrec] for r in found.values()])
    report.rule(f"pytrec_eval gives {len(found)} of {len(qrels)} queries; their mean {own:.6f} leaves the missing one out, eightk {ours:.6f}")
    try:
        ranx_evaluate(RanxQrels(qrels), RanxRun(partial), "ndcg@10")
        report.rule("ranx takes a run that lacks a query")
    except AssertionError:
        report.rule("ranx refuses a run that lacks a query unless it is told make_comparable=True")


def single_precision(report: Report, eightk: Eightk, work: Path) -> None:
    """Scores that only double precision tells apart."""
    qrels: Grades = {"q": {"a": 1}}
    run: Hits = {"q": {"a": 0.922262145375258, "b": 0.922262140}}
    qrels_file = work / "precision.qrels"
    qrels_file.write_text("q 0 a 1\n", encoding="utf-8")
    ours = eightk.score(qrels_file, write_run(work / "precision.run", run), ["mrr"])["mrr"]["trec"]
    theirs = by_pytrec(qrels, run, Score("mrr", "recip_rank", "RR", "mrr"))
    print("\n== scores that differ in the ninth digit")
    report.check("mrr 1 in double precision", ours == 1.0)
    report.rule(f"pytrec_eval holds scores in single precision, where these two tie: recip_rank {theirs}")


def beir_folder(report: Report, folder: Path, graded: Grades, answers: Grades) -> None:
    """Read the way BEIR reads: JSON lines by `_id`, qrels by Python's csv with the first line skipped."""
    import csv

    print("\n== the BEIR folder")
    corpus = [json.loads(line) for line in (folder / "corpus.jsonl").open(encoding="utf-8")]
    queries = [json.loads(line) for line in (folder / "queries.jsonl").open(encoding="utf-8")]
    documents, asked = {row["_id"] for row in corpus}, {row["_id"] for row in queries}
    report.check("ids of documents and queries are unique", (len(documents), len(asked)) == (len(corpus), len(queries)))
    for split, wanted in (("test", graded), ("answer", answers)):
        with (folder / "qrels" / f"{split}.tsv").open(encoding="utf-8") as file:
            rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_MINIMAL))[1:]
        read: Grades = {}
        for query, document, score in rows:
            read.setdefault(query, {})[document] = int(score)
        report.check(f"qrels/{split}.tsv holds the judgements of the TREC qrels", read == wanted)
        known = all(q in asked and set(grades) <= documents for q, grades in read.items())
        report.check(f"qrels/{split}.tsv names queries and documents that are there", known)


def read_qrels(path: Path) -> Grades:
    qrels: Grades = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, document, grade = line.split()
        qrels.setdefault(query, {})[document] = int(grade)
    return qrels


def read_run(path: Path) -> Hits:
    run: Hits = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        query, _, document, _, score, _ = line.split()
        run.setdefault(query, {})[document] = float(score)
    return run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="eightk", help="the eightk to compare")
    parser.add_argument("--dataset", required=True, help="a data set")
    parser.add_argument("--run", type=Path, help="a run on it; default: made with bm25:title")
    args = parser.parse_args()
    report, eightk = Report(), Eightk(args.bin)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for kind in ("trec", "beir"):
            eightk.call("export", args.dataset, "--format", kind, "--out", work / kind)
        if args.run is None:
            eightk.call("eval", args.dataset, "--system", "bm25:title", "--out", work / "runs", "--json")
            args.run = work / "runs" / "runs" / "bm25-title.run"
        run = read_run(args.run)
        judged = {
            "graded": work / "trec" / "qrels.graded.trec",
            "answer-only": work / "trec" / "qrels.answer.trec",
            # Several relevant documents per query: there average precision is more than the rank of the first.
            "one-grade": work / "one-grade.trec",
        }
        lines = [f"{q} 0 {d} 1\n" for q, grades in read_qrels(judged["graded"]).items() for d in grades]
        judged["one-grade"].write_text("".join(lines), encoding="utf-8")
        without_ties(report, eightk, work, judged, run)
        with_ties(report, eightk, work, judged["answer-only"], run)
        missing_query(report, eightk, work, judged["answer-only"], run)
        single_precision(report, eightk, work)
        beir_folder(report, work / "beir", read_qrels(judged["graded"]), read_qrels(judged["answer-only"]))
    print(f"\n{report.done - report.failed} of {report.done} comparisons agree")
    return 1 if report.failed else 0


if __name__ == "__main__":
    sys.exit(main())
