"""Both Helms render the same objects: same.py FOLDER FOLDER, compared file by file."""

import pathlib
import sys

from common import Report, documents

report = Report()
one, other = map(pathlib.Path, sys.argv[1:])
for file in sorted(one.iterdir()):
    objects = [sorted(map(repr, documents(folder / file.name))) for folder in (one, other)]
    report.expect(
        objects[0] == objects[1],
        f"{file.name}: {one.name} and {other.name} render different objects",
    )
report.end("same")
