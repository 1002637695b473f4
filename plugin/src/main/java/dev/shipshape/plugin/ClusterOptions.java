package dev.shipshape.plugin;

import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which cluster a command speaks to. */
final class ClusterOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The kubeconfig. Default: what kubectl takes, or the pod's service account in a pod.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "The kubeconfig's context. Default: its current one.")
  private @Nullable String context;

  KubernetesClient connect() {
    return ApiConnection.open(kubeconfig, context);
  }
}
