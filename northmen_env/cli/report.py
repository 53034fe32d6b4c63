"""`northmen report`: results as a page, as Markdown, as pictures and as tables."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("path", type=click.Path(exists=True, path_type=Path))
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder to write to (default: PATH's).")
@click.option("--sweep", is_flag=True, help="Gather all runs below PATH, even if PATH has results of its own.")
def report(path: Path, out: Path | None, sweep: bool) -> None:
    """Write a report of PATH: a results file, the folder of a tournament, or the folder of many runs.

    Of a tournament: report.html, one page without scripts or network; report.md; figures/; and the games as games.csv,
    games.parquet and payoff.npz. Of many runs: one table of all of them as HTML, Markdown and CSV.
    """
    from northmen_agents.arena.report import ReportError, write_report, write_sweep
    from northmen_agents.arena.results import FILE_NAME, ResultsError

    if sweep and not path.is_dir():
        raise click.UsageError(f"--sweep takes the folder of many runs, and {path} is a file")
    try:
        if path.is_dir() and (sweep or not (path / FILE_NAME).is_file()):
            written = write_sweep(path, out)
        else:
            written = write_report(path, out)
    except (ReportError, ResultsError) as error:
        raise click.ClickException(str(error)) from None
    click.echo(f"Report: {written.page}")
    by_folder: dict[Path, list[str]] = {}
    for file in written.files:
        by_folder.setdefault(file.parent, []).append(file.name)
    for folder, names in by_folder.items():
        shown = ", ".join(names) if len(names) < 6 else f"{len(names)} files"
        click.echo(f"Also in {folder}: {shown}")
    for sentence in written.left_out:
        click.echo(f"Left out: {sentence}")
