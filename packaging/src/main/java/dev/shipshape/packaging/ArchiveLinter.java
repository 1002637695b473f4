package dev.shipshape.packaging;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** What makes Helm refuse an archive, or install it wrongly, found before a release. */
final class ArchiveLinter {
  private static final Set<Integer> MODES = Set.of(0644, 0755);

  private final Set<String> folders = new HashSet<>();
  private final List<String> problems = new ArrayList<>();

  private ArchiveLinter() {}

  /** Everything that is wrong with it, one line each. */
  static List<String> problems(Path archive) throws IOException {
    try (var packed = Files.newInputStream(archive)) {
      return problems(packed);
    }
  }

  static List<String> problems(InputStream packed) throws IOException {
    var linter = new ArchiveLinter();
    var tar = new TarArchiveInputStream(new GZIPInputStream(packed));
    var entry = tar.getNextEntry();
    while (entry != null) {
      linter.check(entry);
      entry = tar.getNextEntry();
    }
    return linter.problems;
  }

  private void check(TarArchiveEntry entry) {
    var name = entry.getName();
    var plain = name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    rule(isPlainFile(entry) || entry.isDirectory(), name, "is neither a file nor a folder");
    rule(!name.startsWith("/") && !name.startsWith("./"), name, "is not a plain relative path");
    rule(!name.contains(":") && !List.of(plain.split("/")).contains(".."), name, "is refused");
    rule(MODES.contains(entry.getMode() & 07777), name, "has a mode other than 0644 and 0755");
    rule(entry.getLongUserId() == 0 && entry.getLongGroupId() == 0, name, "has an owner");
    rule(entry.getLastModifiedTime().toInstant().equals(Reproducible.TIME), name, "has a time");
    var parent = plain.lastIndexOf('/');
    rule(
        parent < 0 || folders.contains(plain.substring(0, parent)),
        name,
        "comes without its folder before it");
    if (entry.isDirectory()) {
      rule(folders.add(plain), name, "comes twice");
    }
  }

  /** The library calls everything a file that is no folder. */
  private static boolean isPlainFile(TarArchiveEntry entry) {
    return entry.getLinkFlag() == TarConstants.LF_NORMAL
        || entry.getLinkFlag() == TarConstants.LF_OLDNORM;
  }

  private void rule(boolean holds, String name, String otherwise) {
    if (!holds) {
      problems.add(name + " " + otherwise);
    }
  }
}
