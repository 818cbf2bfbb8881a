#!/usr/bin/env python3
"""Exact search beside numpy and faiss: seconds, memory, and whether they find the same.

    python3 -m venv venv && venv/bin/pip install numpy faiss-cpu
    cargo build --release --example exact_search -p eightk-retrieve
    venv/bin/python benches/peers/search.py target/release/examples/exact_search

Random vectors of length 1 are made once. Then each peer searches in a process of its own, in turn, for some rounds, so that whatever
else the machine does falls on all of them alike. The table shows medians and the ratio to ours within each round (median, least, most). CPU
time changes least with other work on the machine: GFLOP/s are those of a core in a second of it, `of peak` is their share of what
a core does on registers alone. `build` is what stands between the file and an index that can be searched; for
numpy that is reading the file.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

PEERS = ["eightk", "numpy", "faiss"]


def peak_mb():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) * 1024 / 1e6
    return 0.0


def best_of_blocks(numpy, chunks, queries, k, block):
    """Blocked product, argpartition in each block, then among the survivors."""
    scores = numpy.empty((len(queries), block), dtype=numpy.float32)
    best_score = numpy.empty((len(queries), 0), dtype=numpy.float32)
    best_id = numpy.empty((len(queries), 0), dtype=numpy.int64)
    for start in range(0, len(chunks), block):
        part = chunks[start:start + block]
        of_part = numpy.matmul(queries, part.T, out=scores[:, :len(part)] if len(part) == block else None)
        ids = numpy.argpartition(of_part, len(part) - k, axis=1)[:, len(part) - k:]
        best_score = numpy.hstack([best_score, numpy.take_along_axis(of_part, ids, axis=1)])
        best_id = numpy.hstack([best_id, ids + start])
        if best_score.shape[1] > k:
            top = numpy.argpartition(best_score, best_score.shape[1] - k, axis=1)[:, -k:]
            best_score = numpy.take_along_axis(best_score, top, axis=1)
            best_id = numpy.take_along_axis(best_id, top, axis=1)
    order = numpy.argsort(-best_score, axis=1)
    return numpy.take_along_axis(best_id, order, axis=1), numpy.take_along_axis(best_score, order, axis=1)


def run_numpy(args, out):
    import numpy
    queries = numpy.load(args.queries_file)
    start = time.perf_counter()
    chunks = numpy.load(args.chunks_file)
    build = time.perf_counter() - start
    best_of_blocks(numpy, chunks[:args.block], queries[:12], args.k, args.block)
    search, (ids, scores) = timed(lambda: best_of_blocks(numpy, chunks, queries, args.k, args.block))
    report(build, search, ids, scores, out)


def run_faiss(args, out):
    import faiss
    import numpy
    faiss.omp_set_num_threads(args.threads)
    queries = numpy.load(args.queries_file)
    start = time.perf_counter()
    # In parts, so that faiss too holds the vectors once.
    chunks = numpy.load(args.chunks_file, mmap_mode="r")
    rows, dims = chunks.shape
    index = faiss.IndexFlatIP(dims)
    with open(args.chunks_file, "rb") as file:
        file.seek(chunks.offset)
        del chunks
        while rows > 0:
            part = numpy.fromfile(file, dtype=numpy.float32, count=min(rows, 20_000) * dims).reshape(-1, dims)
            index.add(part)
            rows -= len(part)
    build = time.perf_counter() - start
    index.search(queries[:12], args.k)
    search, (scores, ids) = timed(lambda: index.search(queries, args.k))
    report(build, search, ids, scores, out)


def report(build, search, ids, scores, out):
    print(json.dumps({"build": build, **search, "peak_mb": peak_mb()}))
    with open(out, "w") as file:
        for row in zip(ids.tolist(), scores.tolist()):
            file.write("\t".join(f"{i}:{s}" for i, s in zip(*row)) + "\n")


def gemm_gflops(threads):
    """What the BLAS below numpy makes of two large square matrices."""
    import numpy
    a = numpy.random.default_rng(0).random((4096, 4096), dtype=numpy.float32)
    return 2 * 4096**3 * 5 / timed(lambda: [a @ a for _ in range(5)])[0]["cpu"] / 1e9


def timed(f):
    start, cpu = time.perf_counter(), time.process_time()
    result = f()
    return {"search": time.perf_counter() - start, "cpu": time.process_time() - cpu}, result


def make(args):
    import numpy
    for path, rows, seed in [(args.chunks_file, args.chunks, 1), (args.queries_file, args.queries, 2)]:
        if os.path.exists(path):
            continue
        random = numpy.random.default_rng(seed)
        made = numpy.lib.format.open_memmap(path + ".part", mode="w+", dtype=numpy.float32, shape=(rows, args.dims))
        for start in range(0, rows, 50_000):
            part = random.standard_normal((min(50_000, rows - start), args.dims), dtype=numpy.float32)
            made[start:start + len(part)] = part / numpy.linalg.norm(part, axis=1, keepdims=True)
        made.flush()
        os.rename(path + ".part", path)


def agree(a, b, tolerance=2e-6):
    """Queries whose ids differ by more than an exchange of near ties."""
    read = lambda path: [[hit.split(":") for hit in line.split("\t")] for line in open(path).read().splitlines()]
    wrong = 0
    for left, right in zip(read(a), read(b), strict=True):
        border = min(float(left[-1][1]), float(right[-1][1]))
        differ = {i: float(s) for i, s in left}.items() ^ {i: float(s) for i, s in right}.items()
        ids = {i for i, _ in left} ^ {i for i, _ in right}
        wrong += any(abs(s - border) > tolerance for i, s in differ if i in ids)
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("example", nargs="?", default="target/release/examples/exact_search")
    parser.add_argument("--peer", choices=["numpy", "faiss", "gemm"], help=argparse.SUPPRESS)
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=1_000)
    parser.add_argument("--dims", type=int, default=384)
    parser.add_argument("--k", type=int, default=10)
    parser.add_argument("--block", type=int, default=5_000, help="chunks in a block of numpy's")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--storage", default="f32", help="of our index: f32, f16, int8")
    parser.add_argument("--folder", default="target/peers-search", help="where vectors and results lie")
    args = parser.parse_args()
    folder = pathlib.Path(args.folder)
    args.chunks_file = str(folder / f"chunks-{args.chunks}x{args.dims}.npy")
    args.queries_file = str(folder / f"queries-{args.queries}x{args.dims}.npy")
    found = {peer: str(folder / f"found-{peer}.tsv") for peer in PEERS}
    if args.peer == "gemm":
        print(gemm_gflops(args.threads))
        return
    if args.peer:
        {"numpy": run_numpy, "faiss": run_faiss}[args.peer](args, found[args.peer])
        return
    folder.mkdir(parents=True, exist_ok=True)
    make(args)

    threads = {name: str(args.threads) for name in ["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "RAYON_NUM_THREADS"]}
    environment = {**os.environ, **threads}
    run = lambda command: subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    itself = [sys.executable, *sys.argv]
    commands = {peer: [*itself, "--peer", peer] for peer in ["numpy", "faiss"]}
    files = [args.chunks_file, args.queries_file]
    commands["eightk"] = [args.example, *files, str(args.k), args.storage, found["eightk"]]

    runs, peak, gemm = {peer: [] for peer in PEERS}, 0.0, 0.0
    for number in range(args.rounds):
        peak = max(peak, json.loads(run([args.example, "peak"]))["gflops_of_a_core"])
        gemm = max(gemm, float(run([*itself, "--peer", "gemm"])))
        for peer in PEERS[number % 3:] + PEERS[:number % 3]:
            runs[peer].append(json.loads(run(commands[peer])))
            print(f"round {number + 1} {peer}: {runs[peer][-1]}", file=sys.stderr)
    median = {peer: {key: statistics.median(r[key] for r in runs[peer]) for key in runs[peer][0]} for peer in PEERS}
    vectors = args.chunks * args.dims * 4 / 1e6
    work = 2 * args.chunks * args.queries * args.dims / 1e9
    print(f"best of all rounds: registers alone {peak:.0f} GFLOP/s a core, OpenBLAS 4096 x 4096 {gemm:.0f}")
    print(f"\ntop {args.k} of {args.chunks:,} x {args.dims}, {args.queries:,} queries; {args.threads} threads, median of {args.rounds} rounds; vectors are {vectors:.0f} MB")
    print(f"{'':8}{'search s':>10}{'ratio (least, most)':>22}{'CPU s':>9}{'ratio':>7}{'GFLOP/s':>9}{'of peak':>9}{'build s':>9}{'peak MB':>9}{'over vectors':>14}")
    for peer in PEERS:
        m, speed = median[peer], work / median[peer]["cpu"]
        ratios = [theirs["search"] / ours["search"] for theirs, ours in zip(runs[peer], runs["eightk"])]
        ratio = f"{statistics.median(ratios):.2f} ({min(ratios):.2f}, {max(ratios):.2f})"
        print(f"{peer:8}{m['search']:10.2f}{ratio:>22}{m['cpu']:9.2f}{m['cpu'] / median['eightk']['cpu']:7.2f}{speed:9.0f}{speed / peak:9.0%}"
              f"{m['build']:9.2f}{m['peak_mb']:9.0f}{m['peak_mb'] - vectors:14.0f}")
    for peer in ["numpy", "faiss"]:
        print(f"queries for which {peer} finds others than near ties: {agree(found['eightk'], found[peer])}")


if __name__ == "__main__":
    main()
