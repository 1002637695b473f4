"""shipshape itself finds the settings of every rendering good: settings.py SHIPSHAPE FILE..."""

import pathlib
import subprocess
import sys
import tempfile

from common import Report, documents

report = Report()
shipshape, *files = sys.argv[1:]
checked = set()
with tempfile.TemporaryDirectory() as folder:
    for file in files:
        for one in documents(file):
            if not one["metadata"]["name"].endswith("-settings"):
                continue
            for key, text in one["data"].items():
                if text in checked:
                    continue
                checked.add(text)
                path = pathlib.Path(folder) / key
                path.write_text(text)
                command = [shipshape, key.removesuffix(".yaml"), "--settings", str(path), "--check"]
                ran = subprocess.run(command, capture_output=True, text=True, check=False)
                name = pathlib.Path(file).name
                report.expect(
                    ran.returncode == 0, f"{name}: {key}: {ran.stdout}{ran.stderr}\n{text}"
                )
report.end("settings")
