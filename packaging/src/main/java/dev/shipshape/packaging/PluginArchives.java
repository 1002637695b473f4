package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The plugin's archives. Helm 4 requires a folder named like the plugin, with a plugin.yaml in
 * format v1. Helm 3 requires the files at the root, with a plugin.yaml in the legacy format, and
 * fails on folders when the same URL is installed again: so its archive has no folders, the runtime
 * is an archive in it, and the launcher unpacks that at its first start.
 */
record PluginArchives(Path root, Path work, RuntimeFolder runtime, PluginMetadata metadata) {
  private static final Pattern TESTS = Pattern.compile("^(check$|checks/|ci/|(?:alerts/)?tests/)");
  private static final Set<String> SERVERS = Set.of(Role.WEBHOOK.cache(), Role.JANITOR.cache());
  private static final String LIST = "files.sha256";

  void writeForHelm4(Path archive) throws IOException, InterruptedException {
    var folder = FileTrees.empty(work.resolve("helm4"));
    var plugin = folder.resolve("shipshape");
    FileTrees.write(plugin.resolve("plugin.yaml"), metadata.v1());
    FileTrees.copyFile(launcher(), plugin.resolve("bin/shipshape"));
    copyDocuments(plugin);
    copyChart(plugin);
    FileTrees.copy(runtime.path(), plugin.resolve("runtime"), PluginArchives::isOfCommands);
    pack(plugin, folder, archive);
  }

  void writeForHelm3(Path archive) throws IOException, InterruptedException {
    var plugin = FileTrees.empty(work.resolve("helm3"));
    FileTrees.write(
        plugin.resolve("plugin.yaml"), metadata.legacy("command: $HELM_PLUGIN_DIR/shipshape\n"));
    writeFlat(plugin, PluginArchives::isOfCommands, archive);
  }

  /**
   * Writes the archive for platforms with an installed Java: as for Helm 3, which Helm 4 accepts
   * too, but without JVM and caches, and with a launcher for Windows.
   */
  void writeForAnyPlatform(Path archive) throws IOException, InterruptedException {
    var plugin = FileTrees.empty(work.resolve("any"));
    FileTrees.write(plugin.resolve("plugin.yaml"), metadata.anyPlatform());
    FileTrees.copyFile(root.resolve("plugin/bin/shipshape.cmd"), plugin.resolve("shipshape.cmd"));
    writeFlat(plugin, Packaging::isOfApplication, archive);
  }

  /**
   * Writes an archive without folders: their files, and those of the runtime, are an archive in it.
   */
  private void writeFlat(Path plugin, Predicate<String> ofRuntime, Path archive)
      throws IOException, InterruptedException {
    var unpacked = FileTrees.empty(work.resolve("unpacked"));
    FileTrees.copy(runtime.path(), unpacked, ofRuntime);
    copyChart(unpacked);
    pack(unpacked, unpacked, plugin.resolve("runtime.tgz"));
    FileTrees.copyFile(launcher(), plugin.resolve("shipshape"));
    copyDocuments(plugin);
    pack(plugin, plugin, archive);
  }

  private Path launcher() {
    return root.resolve("plugin/bin/shipshape");
  }

  /** The servers' caches are only in the image. */
  private static boolean isOfCommands(String file) {
    return !SERVERS.contains(file);
  }

  /** Copies the chart without its tests. */
  private void copyChart(Path to) throws IOException {
    FileTrees.copy(root.resolve("chart"), to.resolve("chart"), each -> !TESTS.matcher(each).find());
  }

  private void copyDocuments(Path to) throws IOException {
    for (var document : new String[] {"completion.yaml", "LICENSE"}) {
      FileTrees.copyFile(root.resolve(document), to.resolve(document));
    }
  }

  /** Adds the list of all files, for {@code sha256sum --check}, and packs. */
  private static void pack(Path plugin, Path folder, Path archive)
      throws IOException, InterruptedException {
    FileTrees.write(plugin.resolve(LIST), Digests.sums(plugin, FileTrees.files(plugin)));
    FileTrees.setModes(folder);
    TarArchive.writeForHelm(folder, archive);
  }
}
