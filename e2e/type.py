#!/usr/bin/env python3
"""Types a page's commands: type.py FOLDER PAGE [FROM-HEADING [BEFORE-HEADING]]

Each ```bash block is typed into a shell in the folder. If a ```text block follows it, the output has each of
its lines in this order; "…" matches anything, and a first line with "Error" means that the command fails.
A cluster takes a moment to learn of a write, so a block that shows an output is typed again for half a minute.
"""
import re
import subprocess
import sys
import time

BLOCK = re.compile(r"^```bash\n(.*?)^```\n(?:\n?(?:You see:\n\n?)?^```text\n(.*?)^```\n)?", re.M | re.S)


def part(page, first, last):
    """Returns the page from one heading to before another; either may be empty."""
    start = page.index(f"## {first}\n") if first else 0
    return page[start : page.index(f"## {last}\n") if last else len(page)]


def differs(expected, typed):
    """Returns the expected output that is missing; empty if nothing is missing."""
    fails = "Error" in expected.partition("\n")[0]
    if (typed.returncode != 0) != fails:
        return f"it ended with {typed.returncode}"
    at = 0
    for line in expected.splitlines():
        found = re.compile(".*".join(map(re.escape, line.strip().split("…")))).search(typed.stdout, at)
        if not found:
            return f"it does not print: {line}"
        at = found.end()
    return ""


def main(folder, file, first="", last=""):
    blocks = BLOCK.findall(part(open(file, encoding="utf-8").read(), first, last))
    if not blocks:
        sys.exit(f"{file}: no commands")
    for commands, expected in blocks:
        end = time.monotonic() + (30 if expected else 0)
        while True:
            typed = subprocess.run(["bash", "-euo", "pipefail", "-c", commands], cwd=folder, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
            wrong = differs(expected, typed)
            if not wrong or time.monotonic() > end:
                break
            time.sleep(1)
        print("".join(f"   $ {line}\n" for line in commands.splitlines()) + typed.stdout, flush=True)
        if wrong:
            sys.exit(f"   WRONG: {file}: {wrong}")


main(*sys.argv[1:])
