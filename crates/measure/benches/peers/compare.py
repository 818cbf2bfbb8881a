#!/usr/bin/env python3
"""eightk beside pytrec_eval and ranx: the same metrics on the same generated run, one after the other, on one thread.

    python -m venv VENV && VENV/bin/pip install pytrec_eval-terrier ranx
    VENV/bin/python crates/measure/benches/peers/compare.py [--queries 10000] [--depth 1000] [--shuffle]

Installs nothing itself. Prints seconds for reading the TREC files and for the metrics, and how many times as fast eightk
is as the faster of the two. Every tool is warm: the shortest of several repetitions counts, so ranx's compilation does not.
Qrels are answer-only, on which all tools mean the same by recall, MAP and MRR; one score in four is shared with the
document above. trec_eval's order inside ties, which eightk reports as `trec`, has to agree with pytrec_eval to 1e-6; ranx
leaves ties in the order of the input, so its values differ and are shown only.
"""
import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

os.environ["NUMBA_NUM_THREADS"] = "1"

NAMES = {  # eightk: (pytrec_eval asked, pytrec_eval printed, ranx)
    "ndcg@10": ("ndcg_cut.10", "ndcg_cut_10", "ndcg@10"),
    "standard_recall@10": ("recall.10", "recall_10", "recall@10"),
    "map": ("map", "map", "map"),
    "mrr": ("recip_rank", "recip_rank", "mrr"),
}


def generate(folder, queries, depth, shuffle):
    """A run of `queries` x `depth` with ids in the form of chunk ids, and qrels with one to five answers a query."""
    rng = random.Random(20260101)
    with open(folder / "run", "w") as run, open(folder / "qrels", "w") as qrels:
        for q in range(queries):
            documents = [(q * 13 + i * 17) * 7919 % 1_000_003 for i in range(depth)]
            ids = [f"{n:010}-25-{n % 977:06}#s{i}" for i, n in enumerate(documents)]
            scores = [30.0 - (i - (i % 4 == 3)) * 0.01 for i in range(depth)]
            lines = [f"q{q} Q0 {d} {i + 1} {s:.4f} made\n" for i, (d, s) in enumerate(zip(ids, scores))]
            if shuffle:
                rng.shuffle(lines)
            run.writelines(lines)
            for at in {int(depth * rng.random() ** 3) for _ in range(1 + q % 5)}:
                qrels.write(f"q{q} 0 {ids[at]} 1\n")


def fastest(repeat, what):
    best, value = float("inf"), None
    for _ in range(repeat):
        start = time.perf_counter()
        value = what()
        best = min(best, time.perf_counter() - start)
    return best, value


def pytrec(folder, repeat):
    import pytrec_eval

    with open(folder / "qrels") as f:
        read_qrels, qrels = fastest(1, lambda: pytrec_eval.parse_qrel(f))
    with open(folder / "run") as f:
        read_run, run = fastest(1, lambda: pytrec_eval.parse_run(f))
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {asked for asked, _, _ in NAMES.values()})
    seconds, results = fastest(repeat, lambda: evaluator.evaluate(run))
    mean = {name: sum(r[printed] for r in results.values()) / len(results) for name, (_, printed, _) in NAMES.items()}
    return read_qrels + read_run, seconds, mean


def ranx(folder, repeat):
    from ranx import Qrels, Run, evaluate

    read_qrels, qrels = fastest(1, lambda: Qrels.from_file(str(folder / "qrels"), kind="trec"))
    read_run, run = fastest(1, lambda: Run.from_file(str(folder / "run"), kind="trec"))
    asked = [name for _, _, name in NAMES.values()]
    # The first evaluation compiles; the repetitions are warm.
    seconds, results = fastest(repeat + 1, lambda: evaluate(qrels, run, asked))
    return read_qrels + read_run, seconds, {name: float(results[r]) for name, (_, _, r) in NAMES.items()}


def eightk(folder, repeat):
    root = pathlib.Path(__file__).resolve().parents[4]
    command = ["cargo", "bench", "-q", "-p", "eightk-measure", "--bench", "peers", "--"]
    files = ["--run", str(folder / "run"), "--qrels", str(folder / "qrels"), "--repeat", str(repeat)]
    out = subprocess.run(command + files, cwd=root, check=True, capture_output=True, text=True).stdout
    got = json.loads(out.strip().splitlines()[-1])
    return got["read_qrels"] + got["read_run"], got["score"], got["trec"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--depth", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--shuffle", action="store_true", help="lines of a query in no order")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        generate(folder, args.queries, args.depth, args.shuffle)
        rows = {tool.__name__: tool(folder, args.repeat) for tool in (eightk, pytrec, ranx)}
    print(f"{args.queries} queries x {args.depth}, seconds" + (", lines in no order" if args.shuffle else ""))
    print(f"{'':8} {'reading':>9} {'metrics':>9} {'both':>9}  " + "  ".join(NAMES))
    for tool, (reading, metrics, values) in rows.items():
        shown = "  ".join(f"{values[n]:.6f}" for n in NAMES)
        print(f"{tool:8} {reading:9.3f} {metrics:9.3f} {reading + metrics:9.3f}  {shown}")
    ours, others = rows.pop("eightk"), rows.values()
    apart = min(o[1] for o in others) / ours[1]
    both = min(o[0] + o[1] for o in others) / (ours[0] + ours[1])
    print(f"eightk is {apart:.1f} times as fast as the faster of the two on the metrics, {both:.1f} times with reading")
    wrong = [n for n in NAMES if abs(ours[2][n] - rows["pytrec"][2][n]) > 1e-6]
    if wrong:
        print(f"DIFFERENT from pytrec_eval: {', '.join(wrong)}")
    if args.queries * args.depth >= 1_000_000 and min(apart, both) < 5:
        print("TOO SLOW: the target is 5 times")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
