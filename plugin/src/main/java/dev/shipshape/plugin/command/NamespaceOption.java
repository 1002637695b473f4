package dev.shipshape.plugin.command;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The namespace of the release. */
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
    return namespace != null ? namespace : helmNamespace(environment).orElse("shipshape");
  }

  /** Helm removes {@code -n} from a plugin's command line and passes it as a variable. */
  static Optional<String> helmNamespace(Map<String, String> environment) {
    return Optional.of(environment.getOrDefault("HELM_NAMESPACE", ""))
        .filter(namespace -> !namespace.isEmpty());
  }
}
