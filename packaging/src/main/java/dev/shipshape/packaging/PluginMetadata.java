package dev.shipshape.packaging;

/** A version's plugin.yaml, in both formats. */
record PluginMetadata(String version, Platform platform) {
  static final String USAGE =
      "refuses known-invalid configurations and prunes aged sessions of operators";
  private static final String DESCRIPTION =
      "Admission webhook and cleanup janitor for Kubernetes operators";

  /**
   * The legacy format for Helm 3.3.2 and later, also Helm 4: only keys that all of them know.
   *
   * @param command the lines with the command
   */
  String legacy(String command) {
    return """
    name: shipshape
    version: %s
    usage: %s
    description: %s
    %s\
    """
        .formatted(version, USAGE, DESCRIPTION, command);
  }

  /** The same for all platforms: newer Helms refuse a command beside platform commands. */
  String anyPlatform() {
    return legacy(
        """
        platformCommand:
          - {os: linux, command: $HELM_PLUGIN_DIR/shipshape}
          - {os: darwin, command: $HELM_PLUGIN_DIR/shipshape}
          - {os: windows, command: $HELM_PLUGIN_DIR/shipshape.cmd}
        """);
  }

  /** Format v1, for Helm 4 only. */
  String v1() {
    return """
    apiVersion: v1
    type: cli/v1
    name: shipshape
    version: %s
    runtime: subprocess
    config:
      usage: shipshape COMMAND
      shortHelp: %s
      longHelp: %s
      ignoreFlags: false
    runtimeConfig:
      platformCommand:
        - os: linux
          arch: %s
          command: $HELM_PLUGIN_DIR/bin/shipshape
    """
        .formatted(version, USAGE, DESCRIPTION, platform.architecture());
  }
}
