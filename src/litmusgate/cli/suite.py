"""`litmusgate suite …`: check, digest, diff, import and prune suites. Results to stdout, talk to stderr."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from litmusgate.errors import EXIT_USAGE
from litmusgate.text import plain_json, shown_line

if TYPE_CHECKING:
    from litmusgate.api import SuiteDiff, SuiteFinding

app = typer.Typer(no_args_is_help=True)
tables = typer.Typer(no_args_is_help=True)
app.add_typer(tables, name="import", help="Build a suite from a table, by a declared mapping of its columns.")

SuitePath = Annotated[Path, typer.Argument(help="The suite: a folder, or a canonical .json file.", show_default=False)]
Format = Annotated[Literal["text", "json"], typer.Option("--format", help="How to print the result.")]
Force = Annotated[bool, typer.Option("--force", help="Replace another suite in the output folder.")]
Fields = Annotated[
    list[str],
    typer.Option(
        "--field",
        metavar="FIELD=COLUMN",
        help="Which column holds which field; id, category and turns are needed, also known: cluster system context"
        " injections attack_goal control_of severity.",
    ),
]
ExposureFrom = Annotated[
    str | None,
    typer.Option(metavar="injections|context|COLUMN", help="Whose texts prove that the agent met the attack."),
]
Severities = Annotated[list[str] | None, typer.Option(metavar="CATEGORY=SEVERITY", help="Severity of a category.")]
SeverityMap = Annotated[
    list[str] | None, typer.Option(metavar="VALUE=SEVERITY", help="What a value of the severity column means.")
]
Kinds = Annotated[list[str] | None, typer.Option(metavar="CATEGORY=KIND", help="adversarial (default) or control.")]
Corpora = Annotated[list[str] | None, typer.Option(metavar="NAME=REVISION", help="A known corpus the index must hold.")]
Out = Annotated[Path, typer.Option(help="The folder to write the suite to.")]


@app.command("check")
def check(suite: SuitePath, output: Format = "text") -> None:
    """Find what is wrong with a suite before it is used.

    Leakage and provenance are checked by `admit`. Exit codes: 0 usable (warnings are allowed), 2 errors.
    """
    from litmusgate.api import check_suite, load_suite

    loaded = load_suite(suite)
    findings = check_suite(loaded)
    errors = sum(item.level == "error" for item in findings)
    if output == "json":
        _print_json(
            {
                "suite": {"name": loaded.name, "version": loaded.version, "digest": loaded.digest},
                "instances": len(loaded.instances),
                "categories": len(loaded.categories),
                "errors": errors,
                "warnings": len(findings) - errors,
                "findings": [_finding_document(item) for item in findings],
            }
        )
    else:
        for item in findings:
            _print(f"{item.level} {item.code}: {_about(item)}{item.message}")
            _print(f"  fix: {item.fix}")
        _print(
            f"{loaded.name} {loaded.version}: {len(loaded.instances)} instances in {len(loaded.categories)} categories, "
            f"{errors} errors, {len(findings) - errors} warnings"
        )
    if errors:
        raise typer.Exit(EXIT_USAGE)


@app.command("digest")
def digest(suite: SuitePath, output: Format = "text") -> None:
    """Print the digest that a policy pins; as JSON also the digest of every instance and of the graders."""
    from litmusgate.api import load_suite

    loaded = load_suite(suite)
    if output == "text":
        _print(loaded.digest)
        return
    _print_json(
        {
            "name": loaded.name,
            "version": loaded.version,
            "digest": loaded.digest,
            "grader_digest": loaded.grader_digest(),
            "instances": dict(loaded.instance_digests),
        }
    )


@app.command("diff")
def diff(
    old: Annotated[Path, typer.Argument(help="The suite as it was.", show_default=False)],
    new: Annotated[Path, typer.Argument(help="The suite as it is now.", show_default=False)],
    output: Format = "text",
) -> None:
    """Show what a new version of a suite changes: instances, categories, graders, corpora. Exit code 0."""
    from litmusgate.api import diff_document, diff_suites, load_suite

    found = diff_suites(load_suite(old), load_suite(new))
    if output == "json":
        _print_json(diff_document(found))
        return
    for line in _diff_lines(found):
        _print(line)


@tables.command("jsonl")
def import_jsonl(
    *,
    path: Annotated[Path, typer.Argument(help="The table: one JSON object per line.", show_default=False)],
    name: Annotated[str, typer.Option(help="Name of the suite.")],
    version: Annotated[str, typer.Option(help="Version of the suite.")],
    out: Out,
    column: Fields,
    exposure_from: ExposureFrom = None,
    severity: Severities = None,
    severity_map: SeverityMap = None,
    kind: Kinds = None,
    corpus: Corpora = None,
    external_grader: Annotated[str | None, typer.Option(help="Who judged the outcomes, and its version.")] = None,
    external_grader_field: Annotated[str | None, typer.Option(help="The column that says who judged.")] = None,
    where: Annotated[str | None, typer.Option(metavar="EXPR", help="Rows to keep, as in mode == 'security'.")] = None,
    canary_guid: Annotated[str | None, typer.Option(help="GUID by which trainers can filter the suite.")] = None,
    force: Force = False,
) -> None:
    """Build a suite from a JSONL table whose outcomes somebody else's grader decided.

    Values may be strings, lists of strings, objects of names to texts, or lists of objects with text. Injections
    become context of the attacker, context is the environment's. Prints the suite's digest.
    Exit codes: 0 written, 2 flags or rows that do not fit.
    """
    from litmusgate.api import SuiteTable, import_suite

    table = SuiteTable(
        name=name,
        version=version,
        fields=column,
        exposure_from=exposure_from,
        severities=severity or (),
        severity_map=severity_map or (),
        kinds=kind or (),
        corpora=corpus or (),
        grader=external_grader,
        grader_column=external_grader_field,
        where=where,
        canary_guid=canary_guid,
    )
    made = import_suite(path, table, out, force=force)
    _talk(f"{len(made.suite.instances)} instances of {made.rows} rows, written to {out}")
    for category, count in made.instances_by_category.items():
        _talk(f"  {count:5d}  {category}")
    _print(made.suite.digest)


@app.command("prune")
def prune(
    *,
    suite: Annotated[Path, typer.Option(help="The suite that was admitted.")],
    admission: Annotated[Path, typer.Option(help="Its admission record.")],
    version: Annotated[str, typer.Option(help="Version of the pruned suite.")],
    out: Out,
    accept_loss: Annotated[
        list[str] | None,
        typer.Option(metavar="CATEGORY", help="Let this category be emptied, or shrink below 20 though critical."),
    ] = None,
    force: Force = False,
) -> None:
    """Remove what admission found inadmissible, and keep the loss on the record.

    The pruned suite names its parent and every removed instance with its reasons, cumulatively (A8). Prints its
    digest. Exit codes: 0 written, 2 refused, 4 an admission record that is unreadable or of another suite.
    """
    from litmusgate.api import PruneFiles, prune_files

    pruned = prune_files(
        PruneFiles(
            suite=suite,
            admission=admission,
            out=out,
            version=version,
            accept_loss=tuple(accept_loss or ()),
            force=force,
        )
    )
    lineage = pruned.pruned_from
    removed = 0 if lineage is None else len(lineage.removed)
    _talk(f"{len(pruned.instances)} instances left, {removed} removed since the unpruned root, written to {out}")
    _print(pruned.digest)


def _diff_lines(found: SuiteDiff) -> list[str]:
    lines = [f"old {found.old_label} {found.old_digest}", f"new {found.new_label} {found.new_digest}"]
    if found.same:
        return [*lines, "no change"]
    for item in found.categories:
        lines.append(f"category {item.name}: {item.old_instances} → {item.new_instances} instances")
        if item.old_settings != item.new_settings:
            lines.append(f"  {item.old_settings or 'not declared'} → {item.new_settings or 'not declared'}")
    lines += [f"- {name}" for name in found.removed]
    lines += [f"+ {name}" for name in found.added]
    lines += [f"~ {item.id}: {', '.join(item.fields)}" for item in found.changed]
    lines += [f"- grader {name}" for name in found.graders_removed]
    lines += [f"+ grader {name}" for name in found.graders_added]
    lines += [f"- corpus {name}" for name in found.corpora_removed]
    lines += [f"+ corpus {name}" for name in found.corpora_added]
    if found.lineage_changed:
        lines.append("~ pruned_from")
    lines.append(f"{len(found.added)} added, {len(found.removed)} removed, {len(found.changed)} changed")
    return lines


def _finding_document(item: SuiteFinding) -> dict[str, str | None]:
    return {
        "level": item.level,
        "code": item.code,
        "subject": item.subject,
        "message": item.message,
        "fix": item.fix,
    }


def _about(item: SuiteFinding) -> str:
    return "" if item.subject is None else f"{item.subject}: "


def _print(line: str) -> None:
    typer.echo(shown_line(line))


def _talk(line: str) -> None:
    typer.echo(shown_line(line), err=True)


def _print_json(value: object) -> None:
    typer.echo(plain_json(json.dumps(value, indent=2, sort_keys=True)))
