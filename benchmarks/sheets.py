"""The tables of each benchmark, made from its results as they are kept."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.results import Run, keep, last_line
from benchmarks.tables import Sheet, screen, show

Json = Mapping[str, Any]

SCORES = ("recall@5", "recall@10", "recall@20", "recall@50", "hit@10", "ndcg@10")
OURS = "memweaver"


def sheets_of(run: Run) -> list[Sheet]:
    """Everything there is to show of a run, the promised figures last."""
    makers = {
        "recall": recall_sheets,
        "speed": speed_sheets,
        "extract": extract_sheets,
        "proxy": proxy_sheets,
        "refusals": refusal_sheets,
        "neighbours": neighbour_sheets,
    }
    made = makers[run.benchmark](run.results) if run.benchmark in makers else []
    return [*made, figures_sheet(run.figures)]


def tell(run: Run, folder: Path) -> None:
    """Show a run to people, keep it in `folder`, and print the one line that programs read."""
    for sheet in sheets_of(run):
        show(sheet)
    screen.print(f"Kept as {keep(run, folder)}")
    print(last_line(run))


def figures_sheet(figures: Sequence[Json]) -> Sheet:
    rows = [
        [each["name"], each["seen"], each["bound"], "kept" if each["kept"] else "MISSED"]
        for each in figures
    ]
    return Sheet("Figures promised", ["figure", "seen", "bound", ""], rows)


def recall_sheets(results: Json) -> list[Sheet]:
    return [
        sheet
        for name, systems in results.items()
        for sheet in (overall_sheet(name, systems), by_type_sheet(name, systems))
    ]


def overall_sheet(name: str, systems: Json) -> Sheet:
    ours = systems[OURS]
    apart = [score for score in ours if score.endswith("_recall@10")]
    columns = [*SCORES, *apart]
    rows = [
        [system, *(found.get(column, "") for column in columns), over(ours, found)]
        for system, found in systems.items()
    ]
    title = f"{name}: {ours['questions']} counted questions"
    return Sheet(title, ["", *columns, f"{OURS} ÷ it (recall@10)"], rows)


def over(ours: Json, theirs: Json) -> object:
    return ours["recall@10"] / theirs["recall@10"] if theirs["recall@10"] else ""


def by_type_sheet(name: str, systems: Json) -> Sheet:
    kinds = systems[OURS]["by_type"]
    rows = [
        [system, *(found["by_type"][kind]["recall@10"] for kind in kinds)]
        for system, found in systems.items()
    ]
    columns = ["", *(f"{kind} ({scores['questions']})" for kind, scores in kinds.items())]
    return Sheet(f"{name}: recall@10 by type of question", columns, rows)


def extract_sheets(results: Json) -> list[Sheet]:
    """One row for each way of finding memories; how often a model erred is not one."""
    ways = {name: found for name, found in results.items() if "f1" in found}
    columns = ["precision", "recall", "f1", "quiet"]
    rows = [[name, *(found[column] for column in columns)] for name, found in ways.items()]
    return [Sheet("Memories found in what people say", ["", *columns], rows)]


def proxy_sheets(results: Json) -> list[Sheet]:
    columns = {
        "first token p50": "first_token_p50",
        "p95": "first_token_p95",
        "without memory p50": "without_memory_p50",
        "p95 ": "without_memory_p95",
        "bare embedder p50": "bare_embedder_p50",
    }
    waiting = [[name, *(one[each] for each in columns.values())] for name, one in results.items()]
    counted = {
        "turns/s": "turns_per_second",
        "without memory": "without_memory_per_second",
        "with memory ÷ without": "turns_over_without_memory",
        "left for afterwards, ms a turn": "following_ms",
        "turns/s if that is waited for": "sustained_per_second",
    }
    doing = [[name, *(one[each] for each in counted.values())] for name, one in results.items()]
    return [
        Sheet("One who waits for the first token (ms)", ["upstream", *columns], waiting),
        Sheet("Many who never wait", ["upstream", *counted], doing),
    ]


def refusal_sheets(results: Json) -> list[Sheet]:
    names = ("forms", "rounds", "fastest", "fastest_p50", "slowest", "slowest_p50", "spread")
    rows = [[what, *(one[name] for name in names)] for what, one in results.items()]
    columns = ["", "forms", "rounds", "fastest", "p50", "slowest", "p50 ", "slower by"]
    return [Sheet("Refused, by what was wrong (ms)", columns, rows)]


def neighbour_sheets(results: Json) -> list[Sheet]:
    rows = [
        [
            f"{work}, {neighbour} neighbour",
            *(one[f"{work}_{name}"] for name in ("alone_p50", "alone_p99", "p50", "p99")),
            one[f"{work}_over_alone"],
        ]
        for neighbour, one in results.items()
        for work in ("recall", "record")
    ]
    columns = ["", "alone p50", "alone p99", "beside p50", "beside p99", "p99 ÷ alone"]
    answers = [
        [neighbour, ", ".join(f"{what}: {count:,}" for what, count in one["answers"].items())]
        for neighbour, one in results.items()
    ]
    return [
        Sheet("What a quiet user waits (ms)", columns, rows),
        Sheet("What the neighbour got", ["", "answers"], answers),
    ]


def speed_sheets(results: Json) -> list[Sheet]:
    made = [
        writes_sheet(results["writes"]),
        recall_sheet(results),
        whole_sheet(results["whole"]),
        opening_sheet(results["opening"]),
        users_sheet(results["users"], results["users_loaded"]),
        size_sheet(results),
    ]
    return [*made, peer_sheet(results)] if results["peer"] else made


def writes_sheet(writes: Json) -> Sheet:
    each = writes["one_commit_each"]
    rows = [
        ["bare sqlite3 driver, the same rows, a commit each", writes["bare_driver"], 1.0],
        ["memweaver, 1 writer", writes["one_writer"], writes["one_writer"] / writes["bare_driver"]],
        ["memweaver, 32 writers, a commit each", each, each / writes["bare_driver"]],
        ["memweaver, 32 writers", writes["many_writers"], writes["many_writers_over_bare_driver"]],
    ]
    return Sheet("Durable records (synchronous=FULL)", ["", "records/s", "÷ bare driver"], rows)


SPREAD = ("p50", "p95", "min")


def spread(each: Json) -> list[float]:
    return [each[name] for name in SPREAD]


def recall_sheet(results: Json) -> Sheet:
    rows = [
        [
            f"{each['memories']:,}",
            *spread(each["recall"]),
            *spread(each["scan"]),
            each["scan_best"]["p50"],
            each["over_scan"],
        ]
        for each in results["recall"].values()
    ]
    growth = results["growth_exponent"]
    exponents = [growth["recall"], "", "", growth["scan"], "", "", "", ""]
    rows.append(["grows with size to the power of", *exponents])
    columns = [*(f"recall {name}" for name in SPREAD), *(f"scan {name}" for name in SPREAD)]
    return Sheet(
        "Warm recall without the model, and a plain NumPy scan of the same matrix (ms)",
        ["memories in one user", *columns, "scan + best ten p50", "recall ÷ scan (p50)"],
        rows,
    )


def whole_sheet(whole: Json) -> Sheet:
    rows = [
        ["recall, everything", *spread(whole["recall"]), 1.0],
        ["all of it but the embedder", *spread(whole["rest"]), whole["rest_share"]],
        ["bare embedder", *spread(whole["bare_embedder"]), ""],
    ]
    title = (
        f"Whole recall among {whole['memories']:,} memories with the real embedder (ms); "
        f"it records and embeds {whole['embedded_per_second']:,.0f} texts a second"
    )
    return Sheet(title, ["", *SPREAD, "share (p50)"], rows)


def opening_sheet(opening: Json) -> Sheet:
    rows = [
        ["reading the bytes with the bare driver", *spread(opening["bare_read"]), 1.0],
        ["opening the shard", *spread(opening["cold"]), opening["over_bare_read"]],
        [
            "building it from the text",
            *spread(opening["from_text"]),
            opening["from_text"]["p50"] / opening["bare_read"]["p50"],
        ],
    ]
    title = f"Opening a cold shard of {opening['memories']:,} memories, {opening['megabytes']} MB"
    return Sheet(f"{title} (ms)", ["", *SPREAD, "÷ bare read"], rows)


def users_sheet(users: Json, loaded: Json) -> Sheet:
    rows = [
        ["a user picked by lot", *spread(users["as_it_comes"])],
        ["the same user again", *spread(users["again"])],
        ["plain scan of the same matrix", *spread(users["scan"])],
    ]
    title = (
        f"{users['users']:,} users with {users['memories_each']} memories each (ms); "
        f"{users['resident_mb']:,.0f} MB resident, {loaded['disk_mb']:,.0f} MB on disk"
    )
    return Sheet(title, ["", *SPREAD], rows)


def size_sheet(results: Json) -> Sheet:
    rows = [
        [f"{int(size):,}", loaded["per_second"], loaded["disk_mb"], results["resident_mb"][size]]
        for size, loaded in results["loaded"].items()
    ]
    columns = ["memories", "recorded, embedded (scripted), indexed/s", "MB on disk", "MB resident"]
    return Sheet("Size", columns, rows)


def peer_sheet(results: Json) -> Sheet:
    peer = results["peer"]
    ours = results["recall"][str(peer["memories"])]["recall"]
    rows = [
        ["mem0, qdrant local", *spread(peer["search"]), peer["over_memweaver"]],
        ["memweaver", *spread(ours), 1.0],
    ]
    title = f"Search among {peer['memories']:,} memories, embedding free for both (ms)"
    return Sheet(title, ["", *SPREAD, "÷ memweaver (p50)"], rows)
