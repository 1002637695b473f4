"""The webhook beside the Go webhook that does the same job: webhook.py [--quick] [--beside DIST]

In turn, round for round: each ratio is of one round, so that a machine that is busy is busy for all. DIST is
another build's packaging/target/dist, which is measured in the same rounds.
"""

import argparse
import statistics
import time
from contextlib import ExitStack

from lab import NODE_CONFIGS, TARGET, Cluster, Server, median, node_config, peer, review, spec, table, webhook

KNOWN_INVALID = 1000


def first_requests(server: Server) -> float:
    """The p99 of the first 300 requests after Ready, in milliseconds."""
    return server.load(small, 300, 300)["p99"]


def measure(server: Server) -> dict:
    before = server.processor_seconds()
    closed = server.load(small, size["closed"])
    used = server.processor_seconds() - before
    return {
        "rate": closed["rate"],
        "processor": used / size["closed"] * 1e6,
        "p99": server.load(small, size["open"], 300)["p99"],
        "large": server.load(large, size["large"])["p99"],
    }


def enforcement(cluster: Cluster, server: Server, count: int) -> float:
    """From the write that calls a configuration invalid to its first refusal: p99 in milliseconds."""
    allows, took = server.caller(), []
    for number in range(count):
        of = spec(1, 10_000 + number)
        cluster.send("POST", NODE_CONFIGS, node_config(f"late-{number}", of), expected=201)
        again = review(f"another-{number}", "CREATE", of)
        assert allows(again), "refused before it was known invalid"
        cluster.mark_invalid(f"late-{number}")
        begin = time.monotonic()
        while allows(again):
            pass
        took.append((time.monotonic() - begin) * 1e3)
    return statistics.quantiles(took, n=100)[98]


def starts(cluster: Cluster, dist: dict) -> tuple[float, float, float]:
    """Medians: seconds to Ready, processor seconds, p99 of the first requests."""
    seen = []
    for _ in range(size["starts"]):
        with webhook(cluster, **dist) as server:
            processor = server.processor_seconds()
            seen.append((server.seconds, processor, first_requests(server)))
    return tuple(statistics.median(each) for each in zip(*seen))


def ratios(rounds: list, name: str, to: str) -> list:
    """Rows of one server's figures beside another's."""

    def row(what, figure, unit, target):
        yield what, median(rounds, lambda r: r[name][figure] / r[to][figure]), "x", target if to == "Go" else None
        yield f"  {name}", median(rounds, lambda r: r[name][figure]), unit, None
        yield f"  {to}", median(rounds, lambda r: r[to][figure]), unit, None

    return [
        *row(f"24 KB, throughput / {to}'s", "rate", "1/s", ">= 2.5"),
        *row(f"24 KB, processor time a request / {to}'s", "processor", "us", "<= 0.4"),
        *row(f"24 KB, 300/s, p99 / {to}'s", "p99", "ms", "<= 0.75"),
        *row(f"236 KB, p99 / {to}'s", "large", "ms", "<= 0.35"),
    ]


def main(beside: str | None) -> list:
    builds = {"webhook": {}} | ({"beside": {"dist": beside}} if beside else {})
    rows = []
    with Cluster() as cluster:
        cluster.learn(1, range(1, KNOWN_INVALID + 1))
        for name, dist in builds.items():
            ready, processor, first = starts(cluster, dist)
            rows += [(f"{name}: start to Ready, {KNOWN_INVALID} objects to list", ready, "s", "<= 2.0")]
            rows += [("  processor time", processor, "s", None)]
            rows += [("  first 300 requests after Ready, 300/s, p99", first, "ms", "<= 100")]
        with ExitStack() as stack:
            servers = {name: stack.enter_context(webhook(cluster, **dist)) for name, dist in builds.items()}
            servers["Go"] = stack.enter_context(peer())
            for server in servers.values():
                server.load(small, size["warm"])
            rows += [(f"{name}: resident memory after 24 KB", servers[name].resident(), "MiB", "<= 140") for name in servers]
            for server in servers.values():
                server.load(large, size["large"])
            rounds = [{name: measure(server) for name, server in servers.items()} for _ in range(size["rounds"])]
            rows += [(f"{name}: resident memory after 236 KB", servers[name].resident(), "MiB", "<= 200") for name in servers]
            rows += ratios(rounds, "webhook", "Go")
            if beside:
                rows += ratios(rounds, "webhook", "beside")
            took = enforcement(cluster, servers["webhook"], size["enforcements"])
            rows += [("watch event to enforcement, p99", took, "ms", "<= 500")]
    return rows


parser = argparse.ArgumentParser()
parser.add_argument("--quick", action="store_true")
parser.add_argument("--beside")
arguments = parser.parse_args()
size = (
    {"rounds": 3, "warm": 6000, "closed": 3000, "open": 900, "large": 200, "starts": 3, "enforcements": 50}
    if arguments.quick
    else {"rounds": 5, "warm": 20_000, "closed": 20_000, "open": 6000, "large": 2000, "starts": 5, "enforcements": 200}
)
small, large = TARGET / "review-small.json", TARGET / "review-large.json"
small.write_bytes(review("node-1", "UPDATE", spec(50, 0)))
large.write_bytes(review("node-1", "UPDATE", spec(500, 0)))
table(main(arguments.beside))
