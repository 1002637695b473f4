package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Lists, copies and writes files and folders in the same way in each build. */
final class FileTrees {
  private FileTrees() {}

  /** Makes an empty folder; deletes what was in it. */
  static Path empty(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(each);
        }
      }
    }
    return Files.createDirectories(folder);
  }

  /** Returns all files and symbolic links, sorted, by their paths from the folder. */
  static List<String> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(each -> !Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS))
          .map(each -> folder.relativize(each).toString())
          .sorted()
          .toList();
    }
  }

  /** Copies files, symbolic links as links, and the folders above them. */
  static void copy(Path from, Path to, Predicate<String> wanted) throws IOException {
    for (var each : files(from)) {
      if (wanted.test(each)) {
        copyFile(from.resolve(each), to.resolve(each));
      }
    }
  }

  static void copyFile(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, LinkOption.NOFOLLOW_LINKS);
  }

  static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  /** Sets mode 0755 for programs and folders, 0644 for other files. */
  static void setModes(Path folder) throws IOException, InterruptedException {
    BuildTool.run(folder, List.of("chmod", "--recursive", "u=rwX,go=rX", "."));
  }
}
