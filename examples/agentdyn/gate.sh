#!/bin/sh
# Gate one pipeline of the AgentDyn outcomes against another.
#
#   gate.sh DATA_DIR CANDIDATE BASELINE OUT_DIR [--full-suite] [extra flags of `litmusgate gate`]
#
# CANDIDATE and BASELINE are names of the column `dir`. Writes OUT_DIR/verdict.json, keeps records in OUT_DIR/.litmusgate
# and exits with the gate's code. Without --full-suite the verdict is on the suite pruned of what admission excludes.
# EXAMPLE_POLICY names another policy template than policy.yaml beside this script.
set -eu

if [ "$#" -lt 4 ]; then
    sed -n '4,8s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
DATA=$1 CANDIDATE=$2 BASELINE=$3 OUT=$4
shift 4
FULL=no
if [ "${1:-}" = --full-suite ]; then
    FULL=yes
    shift
fi

HERE=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
TEMPLATE=${EXAMPLE_POLICY:-$HERE/policy.yaml}
if command -v litmusgate >/dev/null 2>&1; then
    LITMUSGATE=litmusgate
else
    LITMUSGATE=$HERE/../../.venv/bin/litmusgate
fi

REFERENCE=gpt-4o-mini-2024-07-18
mkdir -p "$OUT/runs"
rm -f "$OUT/verdict.json" # whatever stops this script, no verdict of an earlier call may stand for it

# A name goes into an expression and a file name: only what names of pipelines are made of.
for NAME in "$CANDIDATE" "$BASELINE"; do
    case $NAME in
    '' | .* | *[!A-Za-z0-9._+-]*)
        echo "gate.sh: '$NAME' is not a pipeline name" >&2
        exit 2
        ;;
    esac
done

say() {
    printf '== %s\n' "$*" >&2
}

# import_rows DIR HEAD OUT FLAGS…: the rows of one pipeline, as graded by the current (true) or an older grader (false)
import_rows() {
    DIR=$1 HEAD=$2 RUN=$3
    shift 3
    "$LITMUSGATE" import table "$DATA/outcomes/agentdyn.parquet" --out "$RUN" --build "$DIR" \
        --where "mode == 'security' and attack == 'important_instructions' and dir == '$DIR' and head == $HEAD" \
        --column id=instance_id --column outcome=outcome \
        --map pass=safe --map violation=violation --map error=unknown:error "$@"
}

# import_run DIR AGENT: a run on the full suite; exposure is believed only where no defence filters what the log shows.
# Repeats and older pipelines have no rows of the current grader: exactly then, and for no other error, theirs are taken.
# They may hold instances that the suite has dropped since (--subset leaves those out and counts them).
import_run() {
    set -- "$1" "$2" "$OUT/runs/$1.import.log"
    for HEAD in true false; do
        CODE=0 SUBSET=
        if [ "$HEAD" = false ]; then
            SUBSET=--subset
        fi
        import_rows "$1" "$HEAD" "$OUT/runs/$1.jsonl" --agent "$2" --suite "$OUT/suite" --column category=category \
            --exposure "$DATA/outcomes/agentdyn_exposure.parquet" --on dir,instance_id \
            --exposure-where "defense == 'none'" $SUBSET >"$3" 2>&1 || CODE=$?
        if [ "$CODE" -eq 0 ] || [ "$HEAD" = false ] || ! grep -q 'the table gives no trial' "$3"; then
            break
        fi
    done
    cat "$3" >&2
    return "$CODE"
}

# model_of DIR: its model column, without a provider's prefix
model_of() {
    set -- "$1" "$OUT/runs/$1.model.jsonl"
    import_rows "$1" true "$2" --agent model --column category=model >/dev/null 2>&1 ||
        import_rows "$1" false "$2" --agent model --column category=model >/dev/null
    sed -n 's/.*"category":"\([^"]*\)".*/\1/p' "$2" | sort -u | sed 's/^google_//'
    rm -f "$2"
}

# admit SUITE NAME: policy and admission record of one suite. A stale suite (exit 4) still has its record. Where admission
# is refused there is none: it has said why, and the gate makes that an INVALID verdict.
admit() {
    "$LITMUSGATE" init --from "$TEMPLATE" --force --out "$OUT/policy-$2.yaml" --suite "$1" --index "$OUT/index" \
        --reference "unsafe=$OUT/runs/$REFERENCE.jsonl" --run "$OUT/runs/$CANDIDATE.jsonl" \
        --baseline "$OUT/runs/$BASELINE.jsonl" >/dev/null
    rm -f "$OUT/admission-$2.json"
    CODE=0
    "$LITMUSGATE" admit --policy "$OUT/policy-$2.yaml" --suite "$1" --index "$OUT/index" --agent "$AGENT" \
        --reference "unsafe=$OUT/runs/$REFERENCE.jsonl" --out "$OUT/admission-$2.json" >&2 || CODE=$?
    if [ "$CODE" -ne 0 ] && [ "$CODE" -ne 4 ]; then
        exit "$CODE"
    fi
}

say "suite"
"$LITMUSGATE" suite import jsonl "$DATA/suites/agentdyn_instances.jsonl" --force \
    --name agentdyn --version 1.2.2 --out "$OUT/suite" --where "mode == 'security'" \
    --field id=instance_id --field category=category --field turns=prompt --field injections=injections \
    --field context=reference_context --field attack_goal=injection_goal --field severity=severity \
    --severity-map critical=critical --severity-map standard=standard --severity-map advisory=advisory \
    --exposure-from injections --external-grader 'agentdojo injection_task.security()' >/dev/null

say "provenance index"
REVISION=$(cat "$DATA"/corpora/*.jsonl | cksum | cut -d ' ' -f 1)
"$LITMUSGATE" corpus add "$OUT/index" "$DATA"/corpora/*.jsonl --revision "$REVISION" --name-from file --id-column item_id >/dev/null

say "runs"
AGENT=$(model_of "$BASELINE")
if [ -z "$AGENT" ]; then
    echo "gate.sh: the baseline names no model" >&2
    exit 4
fi
import_run "$REFERENCE" "$REFERENCE"
for NAME in "$CANDIDATE" "$BASELINE"; do
    if [ "$NAME" != "$REFERENCE" ]; then
        import_run "$NAME" "$AGENT"
    fi
done

say "admission"
SUITE=$OUT/suite KIND=full
admit "$SUITE" "$KIND"
if [ "$FULL" = no ] && [ -f "$OUT/admission-full.json" ]; then
    say "pruned suite"
    # Only 19 of its 40 instances tell safe from unsafe: the loss is accepted here by name, and stays on every report.
    "$LITMUSGATE" suite prune --suite "$OUT/suite" --admission "$OUT/admission-full.json" --version 1.2.2-pruned \
        --out "$OUT/suite-pruned" --force --accept-loss destructive_action >/dev/null
    SUITE=$OUT/suite-pruned KIND=pruned
    admit "$SUITE" "$KIND"
fi

say "gate"
CODE=0
"$LITMUSGATE" gate --policy "$OUT/policy-$KIND.yaml" --suite "$SUITE" --run "$OUT/runs/$CANDIDATE.jsonl" \
    --admission "$OUT/admission-$KIND.json" --baseline "$OUT/runs/$BASELINE.jsonl" \
    --out "$OUT" --store "$OUT/.litmusgate" "$@" || CODE=$?
exit "$CODE"
