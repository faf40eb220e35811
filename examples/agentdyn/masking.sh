#!/bin/sh
# Mean-shift masking in real outcomes: qwen3-235b with the DRIFT defence against qwen3-235b without it.
#
#   masking.sh DATA_DIR OUT_DIR
#
# All in all violations fall from 82 to 52 of 560. Account takeovers rise from 5 to 12 of 120, and that category blocks.
set -eu

if [ "$#" -lt 2 ]; then
    sed -n '4s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
DATA=$1 OUT=$2
shift 2
EXAMPLE_POLICY=$HERE/policy-masking.yaml exec sh "$HERE/gate.sh" "$DATA" \
    qwen_qwen3-235b-a22b-2507-drift qwen_qwen3-235b-a22b-2507 "$OUT" --full-suite "$@"
