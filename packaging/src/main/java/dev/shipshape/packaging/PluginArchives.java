package dev.shipshape.packaging;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;

/**
 * The plugin's archives. Helm 4 takes everything in one folder named like the plugin, with a
 * plugin.yaml in format v1. Helm 3 takes the root, in the legacy format, and stumbles over folders
 * when the same URL is installed a second time: its archive is flat, with the runtime packed once
 * more, and the launcher unpacks that at first use.
 */
final class PluginArchives {
  private static final String NAME = "shipshape";
  private static final Pattern TESTS = Pattern.compile("^chart/(check$|checks/|ci/|tests/)");

  private final Path root;
  private final RuntimeFolder runtime;
  private final PluginMetadata metadata;

  PluginArchives(Path root, RuntimeFolder runtime, PluginMetadata metadata) {
    this.root = root;
    this.runtime = runtime;
    this.metadata = metadata;
  }

  void writeForHelm4(Path archive) throws IOException {
    var items = new ArrayList<Item>();
    items.add(new Item.Text("plugin.yaml", metadata.v1()));
    items.add(new Item.Copied("bin/shipshape", root.resolve("plugin/bin/shipshape")));
    items.addAll(documents());
    items.addAll(chart());
    items.addAll(Tar.contentOf(runtime.path(), "runtime/"));
    write(archive, under(NAME + "/", FileList.addedTo(items)));
  }

  void writeForHelm3(Path archive) throws IOException {
    var packed = new ByteArrayOutputStream();
    var unpacked = new ArrayList<>(Tar.contentOf(runtime.path(), ""));
    unpacked.addAll(chart());
    pack(packed, FileList.addedTo(unpacked));
    var items = new ArrayList<Item>();
    items.add(new Item.Text("plugin.yaml", metadata.legacy("$HELM_PLUGIN_DIR/shipshape")));
    items.add(new Item.Copied("shipshape", root.resolve("plugin/bin/shipshape")));
    items.add(new Item.Bytes("runtime.tgz", packed.toByteArray()));
    items.addAll(documents());
    write(archive, FileList.addedTo(items));
  }

  /** What {@code shipshape install} installs, without its tests. */
  private List<Item> chart() throws IOException {
    return Tar.contentOf(root.resolve("chart"), "chart/").stream()
        .filter(item -> !TESTS.matcher(item.path()).find())
        .toList();
  }

  private List<Item> documents() {
    return List.of(
        new Item.Copied("completion.yaml", root.resolve("completion.yaml")),
        new Item.Copied("LICENSE", root.resolve("LICENSE")));
  }

  private static void write(Path archive, List<Item> items) throws IOException {
    try (var out = Files.newOutputStream(archive)) {
      pack(out, items);
    }
  }

  private static void pack(OutputStream out, List<Item> items) throws IOException {
    var packed = new GZIPOutputStream(out);
    Tar.write(packed, items);
    packed.finish();
  }

  private static List<Item> under(String prefix, List<Item> items) {
    return items.stream().map(item -> item.under(prefix)).toList();
  }
}
