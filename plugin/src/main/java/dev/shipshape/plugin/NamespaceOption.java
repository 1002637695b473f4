package dev.shipshape.plugin;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The namespace that shipshape is or will be installed in. */
final class NamespaceOption {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      description = "The namespace of shipshape itself. Default: Helm's, else shipshape.")
  private @Nullable String namespace;

  private final Map<String, String> environment;

  NamespaceOption() {
    this(System.getenv());
  }

  NamespaceOption(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Helm takes {@code -n} away from a plugin's command line and hands it on as a variable. */
  String value() {
    if (namespace != null) {
      return namespace;
    }
    var helm = environment.getOrDefault("HELM_NAMESPACE", "");
    return helm.isEmpty() ? "shipshape" : helm;
  }
}
