package dev.shipshape.plugin.command;

import dev.shipshape.plugin.release.Helm;
import dev.shipshape.plugin.release.HelmRelease;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which release a command is about, and the chart it is made from. */
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

  @Option(
      names = "--chart",
      paramLabel = "CHART",
      description =
          "The chart: a folder, an archive or a reference. Default: the one in this plugin.")
  private @Nullable String chart;

  KubernetesClient connect() {
    return cluster.connect();
  }

  HelmRelease release() {
    var helm = Helm.of(System.getenv(), cluster.flags(), namespace.value());
    return new HelmRelease(helm, name, namespace.value());
  }

  /** A command of ours about the same release. */
  String command(String command) {
    var arguments = new ArrayList<>(List.of(command));
    if (!name.equals(DEFAULT)) {
      arguments.add(name);
    }
    arguments.addAll(List.of("-n", namespace.value()));
    arguments.addAll(cluster.flags());
    return ProgramName.command(arguments);
  }

  String namespace() {
    return namespace.value();
  }

  /**
   * The chart's folder or reference.
   *
   * @throws StartFailure where none was named and this program does not know where it lies
   */
  String chart() {
    if (chart != null) {
      return chart;
    }
    return Optional.ofNullable(System.getProperty("shipshape.home"))
        .or(() -> Optional.ofNullable(System.getenv("HELM_PLUGIN_DIR")))
        .map(home -> Path.of(home, "chart"))
        .filter(folder -> Files.isRegularFile(folder.resolve("Chart.yaml")))
        .map(Path::toString)
        .orElseThrow(
            () -> new StartFailure("this installation carries no chart: name one by --chart"));
  }
}
