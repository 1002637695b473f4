"""Writes an image archive (OCI layout) with one program in it to standard output: image.py NAME:TAG PROGRAM"""

import gzip
import hashlib
import io
import json
import os
import sys
import tarfile

name, program = sys.argv[1:]
layer = io.BytesIO()
with tarfile.open(fileobj=layer, mode="w") as files:
    files.add(program, arcname=os.path.basename(program))
blobs = {}


def blob(media, data):
    digest = hashlib.sha256(data).hexdigest()
    blobs["blobs/sha256/" + digest] = data
    return {"mediaType": "application/vnd.oci.image." + media, "digest": "sha256:" + digest, "size": len(data)}


packed = blob("layer.v1.tar+gzip", gzip.compress(layer.getvalue(), mtime=0))
config = {
    "architecture": "amd64",
    "os": "linux",
    "config": {"User": "65532:65532"},
    "rootfs": {"type": "layers", "diff_ids": ["sha256:" + hashlib.sha256(layer.getvalue()).hexdigest()]},
}
manifest = {
    "schemaVersion": 2,
    "mediaType": "application/vnd.oci.image.manifest.v1+json",
    "config": blob("config.v1+json", json.dumps(config).encode()),
    "layers": [packed],
}
index = blob("manifest.v1+json", json.dumps(manifest).encode())
index["annotations"] = {"io.containerd.image.name": name}
blobs["index.json"] = json.dumps({"schemaVersion": 2, "manifests": [index]}).encode()
blobs["oci-layout"] = b'{"imageLayoutVersion":"1.0.0"}'
with tarfile.open(fileobj=sys.stdout.buffer, mode="w|") as archive:
    for path, data in blobs.items():
        info = tarfile.TarInfo(path)
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
