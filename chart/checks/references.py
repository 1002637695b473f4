"""What is named in a rendering is there, and nothing is there that must not be.

Reads rendered files: references.py FILE...
"""

import sys

import yaml
from common import Report, documents, kind_and_name

# The service writes these itself; a chart that renders them too would fight with it.
WRITTEN_BY_THE_SERVICE = {
    ("Secret", "-webhook-certificates"),
    ("Lease", ""),
}
FORBIDDEN_GROUPS = {"", "*", "apps", "batch", "policy", "autoscaling", "extensions"}


def main():
    report = Report()
    for file in sys.argv[1:]:
        Rendering(file, report).check()
    report.end("references")


class Rendering:
    def __init__(self, file, report):
        self.file = file
        self.report = report
        self.objects = documents(file)
        self.objects += [
            yaml.safe_load(o["data"]["validating.yaml"])
            for o in self.objects
            if o["kind"] == "ConfigMap" and "validating.yaml" in o["data"]
        ]
        self.names = {
            (o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]) for o in self.objects
        }
        self.given = {
            o["spec"]["secretName"] for o in self.objects if o["kind"] == "Certificate"
        } | given_by_the_user(self.objects)

    def check(self):
        seen = set()
        for one in self.objects:
            key = (one["kind"], one["metadata"].get("namespace"), one["metadata"]["name"])
            self.expect(key not in seen, one, "is there twice")
            seen.add(key)
            self.written_by_the_service(one)
            check = getattr(self, "check_" + one["kind"], None)
            if check:
                check(one)

    def expect(self, good, one, message):
        self.report.expect(good, f"{self.file}: {kind_and_name(one)}: {message}")

    def has(self, kind, name, namespace):
        return (kind, namespace, name) in self.names

    def written_by_the_service(self, one):
        for kind, suffix in WRITTEN_BY_THE_SERVICE:
            ours = one["kind"] == kind and one["metadata"]["name"].endswith(suffix)
            self.expect(not ours, one, "is written by the service; the chart must not render it")
        for webhook in one.get("webhooks", []):
            self.expect(
                "caBundle" not in webhook["clientConfig"] or "user:my-certificates" in self.given,
                one,
                f"{webhook['name']} has a caBundle, which the service or cert-manager writes",
            )

    def check_ClusterRoleBinding(self, one):
        self.check_RoleBinding(one)

    def check_RoleBinding(self, one):
        role = one["roleRef"]
        namespace = one["metadata"].get("namespace") if role["kind"] == "Role" else None
        self.expect(
            self.has(role["kind"], role["name"], namespace),
            one,
            f"no {role['kind']} {role['name']}",
        )
        for subject in one["subjects"]:
            self.account(one, subject["name"], subject["namespace"])

    def account(self, one, name, namespace):
        given = self.file.endswith("existing-secret-values.yaml") and name == "mine"
        self.expect(
            given or self.has("ServiceAccount", name, namespace),
            one,
            f"no ServiceAccount {namespace}/{name}",
        )

    def check_ClusterRole(self, one):
        self.rights(one)

    def check_Role(self, one):
        self.rights(one)

    def rights(self, one):
        for rule in one["rules"]:
            flat = rule["apiGroups"] + rule["resources"] + rule["verbs"]
            self.expect("*" not in flat, one, "grants *")
            bounded = set(rule["resources"]) & {
                "secrets",
                "configmaps",
                "validatingwebhookconfigurations",
                "mutatingwebhookconfigurations",
                "deployments",
                "statefulsets",
                "daemonsets",
                "leases",
            }
            writes = set(rule["verbs"]) - {"create"}
            self.expect(
                not (bounded and writes) or rule.get("resourceNames"),
                one,
                f"{bounded} without resourceNames",
            )

    def check_Deployment(self, one):
        spec = one["spec"]
        self.expect(
            spec["selector"]["matchLabels"].items()
            <= spec["template"]["metadata"]["labels"].items(),
            one,
            "its selector does not select its own pods",
        )
        self.pod(one, spec["template"])
        grace = spec["template"]["spec"]["terminationGracePeriodSeconds"]
        for container in spec["template"]["spec"]["containers"]:
            self.probes(one, container, len(spec["template"]["spec"]["containers"]))
            if container["name"] == "webhook":
                sleep = container["lifecycle"]["preStop"]["sleep"]["seconds"]
                needed = sleep + self.seconds("drain") + self.seconds("drainConnections")
                self.expect(needed < grace, one, f"ends after {grace} s, before {needed} s")

    def seconds(self, setting):
        settings = next(o for o in self.objects if o["metadata"]["name"].endswith("-settings"))
        read = yaml.safe_load(settings["data"]["webhook.yaml"])
        return int(read[setting].rstrip("s"))

    def probes(self, one, container, containers):
        if container["name"] == "webhook":
            for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
                self.expect(probe in container, one, f"the webhook has no {probe}")
        else:
            found = [p for p in container if p.endswith("Probe")]
            self.expect("readinessProbe" not in found, one, "the janitor has a readiness probe")
            self.expect(
                containers == 1 or not found, one, f"the janitor beside the webhook has {found}"
            )

    def check_Job(self, one):
        self.pod(one, one["spec"]["template"])

    def check_Pod(self, one):
        self.pod(one, one)

    def pod(self, one, template):
        spec = template["spec"]
        namespace = one["metadata"]["namespace"]
        self.account(one, spec["serviceAccountName"], namespace)
        self.restricted(one, spec)
        volumes = {v["name"]: v for v in spec.get("volumes", [])}
        for volume in volumes.values():
            for source in volume.get("projected", {}).get("sources", [volume]):
                self.source(one, namespace, source)
        for container in spec["containers"]:
            ports = {p["name"] for p in container.get("ports", [])}
            for probe in (v for k, v in container.items() if k.endswith("Probe")):
                self.expect(probe["httpGet"]["port"] in ports, one, f"a probe of no port: {probe}")
            for mount in container.get("volumeMounts", []):
                self.expect(mount["name"] in volumes, one, f"no volume {mount['name']}")
            used = {m["name"] for c in spec["containers"] for m in c.get("volumeMounts", [])}
            self.expect(
                set(volumes) <= used, one, f"volumes that nothing mounts: {set(volumes) - used}"
            )
            self.settings_file(one, container)

    def source(self, one, namespace, source):
        if "configMap" in source:
            name = source["configMap"]["name"]
            given = f"user:{name}" in self.given
            self.expect(
                given or self.has("ConfigMap", name, namespace), one, f"no ConfigMap {name}"
            )
        if "secret" in source:
            # A volume of its own says secretName, a projected one name.
            name = source["secret"].get("secretName") or source["secret"]["name"]
            self.expect(
                name in self.given or f"user:{name}" in self.given, one, f"no Secret {name}"
            )

    def settings_file(self, one, container):
        if "--settings" in container.get("args", []):
            path = container["args"][container["args"].index("--settings") + 1]
            folder, key = path.rsplit("/", 1)
            settings = next(o for o in self.objects if o["metadata"]["name"].endswith("-settings"))
            mounted = {m["mountPath"] for m in container["volumeMounts"]}
            self.expect(folder in mounted and key in settings["data"], one, f"no settings {path}")

    def restricted(self, one, spec):
        pod = spec["securityContext"]
        self.expect(
            pod["runAsNonRoot"] is True and pod["seccompProfile"]["type"] == "RuntimeDefault",
            one,
            "is not restricted",
        )
        for host in ("hostNetwork", "hostPID", "hostIPC"):
            self.expect(not spec.get(host), one, f"has {host}")
        for container in spec["containers"]:
            context = container["securityContext"]
            good = (
                context["allowPrivilegeEscalation"] is False
                and context["readOnlyRootFilesystem"] is True
                and context["capabilities"] == {"drop": ["ALL"]}
            )
            self.expect(good, one, f"{container['name']} is not restricted")

    def pods(self, labels, namespace):
        for one in self.objects:
            if one["kind"] == "Deployment" and one["metadata"]["namespace"] == namespace:
                template = one["spec"]["template"]
                if labels.items() <= template["metadata"]["labels"].items():
                    yield template

    def check_Service(self, one):
        pods = list(self.pods(one["spec"]["selector"], one["metadata"]["namespace"]))
        self.expect(len(pods) == 1, one, f"selects {len(pods)} Deployments")
        names = {p["name"] for t in pods for c in t["spec"]["containers"] for p in c["ports"]}
        for port in one["spec"]["ports"]:
            self.expect(port["targetPort"] in names, one, f"no port {port['targetPort']}")

    def check_PodDisruptionBudget(self, one):
        pods = list(self.pods(one["spec"]["selector"]["matchLabels"], one["metadata"]["namespace"]))
        self.expect(len(pods) == 1, one, f"selects {len(pods)} Deployments")

    def check_NetworkPolicy(self, one):
        for rule in one["spec"].get("ingress", []):
            for port in rule["ports"]:
                pods = list(
                    self.pods(
                        one["spec"]["podSelector"]["matchLabels"], one["metadata"]["namespace"]
                    )
                )
                names = {
                    p["name"] for t in pods for c in t["spec"]["containers"] for p in c["ports"]
                }
                self.expect(port["port"] in names, one, f"no port {port['port']}")

    def check_PodMonitor(self, one):
        pods = list(self.pods(one["spec"]["selector"]["matchLabels"], one["metadata"]["namespace"]))
        names = {p["name"] for t in pods for c in t["spec"]["containers"] for p in c["ports"]}
        for endpoint in one["spec"]["podMetricsEndpoints"]:
            self.expect(endpoint["port"] in names, one, f"no port {endpoint['port']}")

    def check_ServiceMonitor(self, one):
        wanted = one["spec"]["selector"]["matchLabels"].items()
        ports = {
            p["name"]
            for o in self.objects
            if o["kind"] == "Service" and wanted <= o["metadata"]["labels"].items()
            for p in o["spec"]["ports"]
        }
        for endpoint in one["spec"]["endpoints"]:
            self.expect(endpoint["port"] in ports, one, f"no Service port {endpoint['port']}")

    def check_Certificate(self, one):
        issuer = one["spec"]["issuerRef"]
        theirs = issuer["kind"] == "ClusterIssuer"
        self.expect(
            theirs or self.has("Issuer", issuer["name"], one["metadata"]["namespace"]),
            one,
            f"no Issuer {issuer['name']}",
        )

    def check_Issuer(self, one):
        secret = one["spec"].get("ca", {}).get("secretName")
        self.expect(secret is None or secret in self.given, one, f"no Secret {secret}")

    def check_ValidatingWebhookConfiguration(self, one):
        self.webhooks(one)

    def check_MutatingWebhookConfiguration(self, one):
        self.webhooks(one)

    def webhooks(self, one):
        injected = one["metadata"].get("annotations", {}).get("cert-manager.io/inject-ca-from")
        if injected:
            namespace, name = injected.split("/")
            self.expect(self.has("Certificate", name, namespace), one, f"no Certificate {injected}")
        for webhook in one["webhooks"]:
            service = webhook["clientConfig"]["service"]
            self.expect(
                self.has("Service", service["name"], service["namespace"]),
                one,
                f"no Service {service['name']}",
            )
            self.expect(1 <= webhook["timeoutSeconds"] <= 10, one, "waits for more than 10 s")
            self.expect(
                one["kind"].startswith("V") or webhook["failurePolicy"] == "Ignore",
                one,
                "stamps with Fail",
            )
            excluded = webhook["namespaceSelector"]["matchExpressions"][0]
            own = {"kube-system", service["namespace"]}
            self.expect(
                excluded["operator"] == "NotIn" and own <= set(excluded["values"]),
                one,
                f"does not exclude {own}",
            )
            self.expect(
                webhook["failurePolicy"] == "Ignore"
                and one["kind"].startswith("M")
                or webhook["failurePolicy"] == "Ignore"
                and webhook["name"] == "proof.shipshape.dev"
                or any(c["name"] == "changes-the-configuration" for c in webhook["matchConditions"]),
                one,
                "holds up deletions",
            )
            for rule in webhook["rules"]:
                groups = set(rule["apiGroups"])
                core = groups & FORBIDDEN_GROUPS or {g for g in groups if g.endswith(".k8s.io")}
                self.expect(
                    not core
                    or webhook["failurePolicy"] == "Ignore"
                    and one["kind"].startswith("M"),
                    one,
                    f"guards Kubernetes itself: {core}",
                )
                self.expect(
                    set(rule["operations"]) <= {"CREATE", "UPDATE"}, one, "guards deletions"
                )
                self.expect(
                    not any("*" in r or "/" in r for r in rule["resources"]),
                    one,
                    "guards * or a subresource",
                )


def given_by_the_user(objects):
    """Secrets and ConfigMaps that the values name and the user makes, as the ci files name them."""
    settings = next(o for o in objects if o["metadata"]["name"].endswith("-settings"))["data"]
    given = set()
    if "tokenFile" in settings.get("janitor.yaml", ""):
        given.add("user:cfs-token")
    if "authorityFile" in settings.get("janitor.yaml", ""):
        given.add("user:cray-configmap-ca-public-key")
    if "clientAuthority" in settings.get("webhook.yaml", ""):
        given.add("user:api-server-authority")
    if "source: files" in settings.get("webhook.yaml", "") and not any(
        o["kind"] == "Certificate" for o in objects
    ):
        given.add("user:my-certificates")
    return given


if __name__ == "__main__":
    main()
