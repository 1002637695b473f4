package dev.shipshape.packaging;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/**
 * Tar streams that depend on nothing but their content: sorted, one fixed modification time, owner
 * 0, modes 0644 and 0755, and an entry for every folder.
 */
final class Tar {
  static final int FOLDER = 0755;
  private static final int PROGRAM = 0755;
  private static final int FILE = 0644;
  private static final int LINK = 0777;

  private Tar() {}

  /** Writes the items and every folder above them; the stream stays open. */
  static void write(OutputStream out, Collection<? extends Item> items) throws IOException {
    var tar = new TarArchiveOutputStream(out, StandardCharsets.UTF_8.name());
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    for (var item : withFolders(items)) {
      write(tar, item);
    }
    tar.finish();
  }

  /** What is in a folder on disk, under a prefix. Links are followed. */
  static List<Item> contentOf(Path folder, String prefix) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> (Item) new Item.Copied(prefix + folder.relativize(file), file))
          .sorted(Comparator.comparing(Item::path))
          .toList();
    }
  }

  /** Whether a file is a program, and so gets mode 0755. */
  static boolean isProgram(Path file) {
    return Files.isExecutable(file) && !file.toString().endsWith(".so");
  }

  private static Collection<Item> withFolders(Collection<? extends Item> items) {
    var all = new TreeMap<String, Item>();
    for (var item : items) {
      for (var end = item.path().indexOf('/'); end > 0; end = item.path().indexOf('/', end + 1)) {
        var folder = item.path().substring(0, end);
        all.putIfAbsent(folder, new Item.Folder(folder, FOLDER));
      }
      all.put(item.path(), item);
    }
    return new ArrayList<>(all.values());
  }

  private static void write(TarArchiveOutputStream tar, Item item) throws IOException {
    switch (item) {
      case Item.Folder folder -> put(tar, item, item.path() + "/", folder.mode());
      case Item.Text _, Item.Bytes _ -> put(tar, item, item.path(), FILE);
      case Item.Copied copied ->
          put(tar, item, item.path(), isProgram(copied.from()) ? PROGRAM : FILE);
      case Item.Link link -> {
        var entry = new TarArchiveEntry(link.path(), TarConstants.LF_SYMLINK);
        entry.setLinkName(link.target());
        put(tar, entry, LINK, new byte[0]);
      }
    }
  }

  private static void put(TarArchiveOutputStream tar, Item item, String name, int mode)
      throws IOException {
    put(tar, new TarArchiveEntry(name), mode, item.content());
  }

  private static void put(
      TarArchiveOutputStream tar, TarArchiveEntry entry, int mode, byte[] content)
      throws IOException {
    entry.setSize(content.length);
    entry.setMode(mode);
    entry.setIds(0, 0);
    entry.setNames("", "");
    entry.setLastModifiedTime(FileTime.from(Reproducible.TIME));
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
  }
}
