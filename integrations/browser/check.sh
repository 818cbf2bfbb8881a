#!/usr/bin/env bash
# The report and the explorer, tried in Chromium.
#
#     integrations/browser/check.sh [--bin FILE] [--real DATASET RUNS] [--work DIR] [TEST…]
#
# Makes what it looks at: a demo of generated filings, a data set of hostile texts and, where $EIGHTK_SHARED/data is, the real filings
# (--real names a set and runs of it that are there already). --work keeps all of it in a folder and uses it again. Screenshots go to
# target/screens. Needs node 20, Chromium (CHROMIUM names it, default /usr/bin/chromium) and, the first time, the npm registry.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=$root/target/release/eightk real_set= real_runs= work= tests=()
usage() { sed -n 2,9p "$0" | cut -c3-; exit 2; }
while [ $# -gt 0 ]; do
  case $1 in
    --bin) bin=$(realpath "${2:?}"); shift 2 ;;
    --real) real_set=$(realpath "${2:?}") real_runs=$(realpath "${3:?}"); shift 3 ;;
    --work) mkdir -p "${2:?}"; work=$(realpath "$2"); shift 2 ;;
    -*) usage ;;
    *) tests+=("$(realpath "$1")"); shift ;;
  esac
done
[ -x "$bin" ] || { echo "no $bin: cargo build --release first, or name another with --bin"; exit 2; }
[ -x "${CHROMIUM:-/usr/bin/chromium}" ] || { echo "no Chromium: apt-get install chromium, or name another with CHROMIUM=…"; exit 2; }
[ -d "$here/node_modules/playwright-core" ] && [ -d "$here/node_modules/axe-core" ] || (cd "$here" && npm ci)
if [ -z "$work" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi

# Made anew by each run, so that it is of this program.
report() { "$bin" report "$work/$1/runs" --out "$work/$1/report.html" --force; }

if [ ! -d "$work/demo/runs" ]; then
  "$bin" demo --out "$work/demo" --force --json >"$work/demo.json"
fi
report demo

if [ ! -d "$work/hostile/runs" ]; then
  rm -rf "$work/hostile"
  node "$here/lib/hostile.mjs" "$work/hostile/dataset"
  "$bin" eval "$work/hostile/dataset" --out "$work/hostile/runs" --json \
    --system 'bm25,as=<img/src=x/onerror=window.__pwned=1>' \
    --system 'bm25:title,as="><script>window.__pwned=1</script>' \
    --system 'bm25:lead,as=javascript:window.__pwned=1' >"$work/hostile.json"
fi
report hostile

data=${EIGHTK_SHARED:-$root/../shared}/data
mkdir -p "$work/real"
if [ -n "$real_set" ]; then
  ln -sfn "$real_set" "$work/real/dataset"
  ln -sfn "$real_runs" "$work/real/runs"
elif [ -d "$data" ] && [ ! -e "$work/real/runs" ]; then
  "$bin" build "$data/filings" "$data/excerpts" --recipe restructuring --out "$work/real/dataset" --force
  "$bin" eval "$work/real/dataset" --out "$work/real/runs" --system bm25 --system bm25:title --system bm25:lead --system bm25:window:2 --json >"$work/real.json"
fi
[ ! -e "$work/real/runs" ] || report real

export BROWSER_BIN=$bin BROWSER_WORK=$work BROWSER_SCREENS=$root/target/screens
mkdir -p "$BROWSER_SCREENS"
[ ${#tests[@]} -gt 0 ] || tests=("$here"/tests/*.test.mjs)
# One file of tests per core.
node --test --test-concurrency=2 --test-reporter=spec "${tests[@]}"
