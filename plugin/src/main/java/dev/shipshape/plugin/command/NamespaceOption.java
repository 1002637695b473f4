package dev.shipshape.plugin.command;

import picocli.CommandLine.Option;

/** The namespace of the release. Helm removes {@code -n} and passes it as a variable. */
final class NamespaceOption {
  @Option(
      names = {"-n", "--namespace"},
      paramLabel = "NAME",
      defaultValue = "${env:HELM_NAMESPACE:-shipshape}",
      description = "The namespace of shipshape itself. Default: Helm's, else shipshape.")
  private String namespace = "shipshape";

  String value() {
    // A variable may be set and empty.
    return namespace.isEmpty() ? "shipshape" : namespace;
  }
}
