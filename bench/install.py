"""The memory of a release that idles, by the kubelet's account of its containers: install.py [NAMESPACE] [MINUTES]

Needs kubectl, and KUBECONFIG of a cluster where the chart is installed and nothing happens. Prints each container's working
set, which counts shared pages of files once, and their sum.
"""
import json
import subprocess
import sys
import time

namespace = sys.argv[1] if len(sys.argv) > 1 else "shipshape"
minutes = float(sys.argv[2]) if len(sys.argv) > 2 else 10


def get(*arguments):
    return json.loads(subprocess.run(["kubectl", "get", *arguments], check=True, capture_output=True).stdout)


pods = get("pods", "-n", namespace, "-l", "app.kubernetes.io/name=shipshape", "-o", "json")["items"]
if not pods:
    sys.exit(f"bench: there is no pod of shipshape in the namespace {namespace}")
time.sleep(minutes * 60)
total = 0
for node in sorted({pod["spec"]["nodeName"] for pod in pods}):
    for pod in get("--raw", f"/api/v1/nodes/{node}/proxy/stats/summary")["pods"]:
        if pod["podRef"]["namespace"] == namespace:
            for container in pod["containers"]:
                used = container["memory"]["workingSetBytes"] >> 20
                total += used
                print(f"{pod['podRef']['name']}  {container['name']}  {used} MiB")
print(f"together  {total} MiB  after {minutes:g} minutes  (target: <= 400 MiB)")
