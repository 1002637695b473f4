"""Times helm shipshape review on COUNT manifests of 24 KB, one of which is known invalid, three times."""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def manifest(name: str, number: int, record: bool = False) -> str:
    owner = "\n  ownerReferences: [{apiVersion: v1, kind: Node, name: worker, uid: a}]" if record else ""
    lines = [
        "apiVersion: network.schiff.telekom.de/v1alpha1",
        "kind: NodeConfig",
        f"metadata:\n  name: {name}{owner}",
        "spec:\n  layer2:",
    ]
    for vlan in range(80):
        lines += [f"  - id: {100 + vlan}", "    mtu: 1500", f"    vni: {10000 + vlan + number}", "    vrf: m2m"]
        lines += ['    anycastMac: "00:00:5E:00:01:64"', "    anycastGateways:", f"    - 10.{number % 250}.{vlan}.1/24"]
    lines += ["  vrf:"]
    for vrf in range(18):
        lines += [f"  - vrf: v{vrf}", "    seq: 10", "    import:"]
        for route in range(14):
            lines += [f"    - cidr: 10.{vrf}.{route}.0/24", "      action: permit"]
    return "\n".join(lines + ["  routingTable: []", ""])


def main() -> None:
    shipshape, count = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    with tempfile.TemporaryDirectory() as folder:
        manifests = Path(folder) / "manifests"
        manifests.mkdir()
        for number in range(count):
            (manifests / f"{number}.yaml").write_text(manifest(f"worker-{number}", number))
        known = Path(folder) / "known.yaml"
        known.write_text(manifest("worker-invalid", 0, record=True) + "---\n" + manifest("worker", 0))
        size = (manifests / "0.yaml").stat().st_size
        times = []
        for _ in range(3):
            begin = time.monotonic()
            ran = subprocess.run([shipshape, "review", manifests, "--known-invalid", known], capture_output=True)
            times.append(time.monotonic() - begin)
            assert ran.returncode == 1 and b" 1 refused," in ran.stdout, ran
        print(f"{count} manifests of {size} bytes: {statistics.median(times):.2f} s (median of {len(times)})")


main()
