package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.TestCluster;

/** Jobs as the operator makes them, on a cluster that runs no containers. */
public final class TestJobs {
  private final TestCluster cluster;

  /** Waits until pods may be created. */
  public TestJobs(TestCluster cluster) {
    this.cluster = cluster;
    TestCluster.eventually(
        "pods may be created",
        () -> cluster.names(cluster.path("serviceaccounts")).contains("default"));
  }

  /** Where they are. */
  String path() {
    return "/apis/batch/v1/namespaces/" + cluster.namespace() + "/jobs";
  }

  String path(String name) {
    return path() + "/" + name;
  }

  /** A Job of a session, with the pod that the Job controller makes of it. */
  public void create(String name, String session, boolean finished) {
    cluster.create(
        path(),
        """
        {"apiVersion": "batch/v1", "kind": "Job",
         "metadata": {"name": "%1$s",
          "labels": {"app.kubernetes.io/name": "cray-cfs-aee", "cfsession": "%2$s"}},
         "spec": {"backoffLimit": 0, "template": {
          "metadata": {
           "labels": {"app.kubernetes.io/name": "cray-cfs-aee", "cfsession": "%2$s"}},
          "spec": {"restartPolicy": "Never",
           "containers": [{"name": "ansible", "image": "example.com/ansible"}]}}}}
        """
            .formatted(name, session));
    TestCluster.eventually("its pod is there", () -> !pod(name).isEmpty());
    if (finished) {
      cluster.patch(
          cluster.path("pods/" + pod(name) + "/status"),
          "{\"status\": {\"phase\": \"Succeeded\"}}");
      TestCluster.eventually(
          "the Job is complete",
          () ->
              cluster.get(path(name)).at("/status/conditions").toString().contains("\"Complete\""));
    }
  }

  /** Has a finalizer hold one that is deleted. */
  void hold(String name) {
    cluster.patch(path(name), "{\"metadata\": {\"finalizers\": [\"example.com/held\"]}}");
  }

  void release(String name) {
    cluster.patch(path(name), "{\"metadata\": {\"finalizers\": null}}");
  }

  private String pod(String job) {
    return cluster.names(cluster.path("pods")).stream()
        .filter(pod -> pod.startsWith(job))
        .findFirst()
        .orElse("");
  }
}
