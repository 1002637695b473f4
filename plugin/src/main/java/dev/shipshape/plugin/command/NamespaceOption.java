package dev.shipshape.plugin.command;

import java.util.Map;
import java.util.Optional;
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

  String value() {
    return namespace != null ? namespace : helms(environment).orElse("shipshape");
  }

  /** Helm takes {@code -n} away from a plugin's command line and hands it on as a variable. */
  static Optional<String> helms(Map<String, String> environment) {
    return Optional.of(environment.getOrDefault("HELM_NAMESPACE", ""))
        .filter(namespace -> !namespace.isEmpty());
  }
}
