package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Helm;
import dev.shipshape.plugin.release.HelmRelease;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Selects a release. */
final class ReleaseOptions {
  private static final String DEFAULT = "shipshape";

  @Mixin private final ClusterOptions cluster = new ClusterOptions();
  @Mixin private final NamespaceOption namespace = new NamespaceOption();

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "RELEASE",
      defaultValue = DEFAULT,
      description = "The release's name. Default: ${DEFAULT-VALUE}")
  private String name = DEFAULT;

  KubernetesClient connect() {
    return cluster.connect();
  }

  HelmRelease release() {
    return new HelmRelease(Helm.of(System.getenv(), cluster.flags(), namespace.value()), name);
  }

  String command(String command) {
    var arguments = new ArrayList<>(List.of(command));
    if (!name.equals(DEFAULT)) {
      arguments.add(name);
    }
    arguments.addAll(List.of("-n", namespace.value()));
    arguments.addAll(cluster.flags());
    return ProgramName.command(arguments);
  }
}
