"""Watches ConfigMaps: python_loop.py goes on from its last resourceVersion, python_loop.py relist lists anew."""
import logging, os, sys, time
from kubernetes import client, config, watch

logging.basicConfig(format="%(asctime)-15s - %(levelname)-7s - %(name)s - %(message)s", level=logging.INFO)
config.load_kube_config(os.environ["KUBECONFIG"])
api, version = client.CoreV1Api(), None
while True:
    try:
        if version is None or (sys.argv[1:] == ["relist"]):
            version = api.list_namespaced_config_map("default").metadata.resource_version
        for event in watch.Watch().stream(api.list_namespaced_config_map, "default", resource_version=version, timeout_seconds=30):
            version = event["object"].metadata.resource_version or version
            logging.info("%s ConfigMap=%s", event["type"], event["object"].metadata.name)
    except Exception as e:
        logging.exception("watch of ConfigMaps failed: %s", e)
    time.sleep(2)
