package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What an image's programs and libraries want of other libraries, by readelf. The loader says so
 * only once one is asked for, and what can do without it, such as TLS, then goes on more slowly and
 * in silence.
 */
final class SharedLibraries {
  private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
  private static final Pattern NEEDED = Pattern.compile("\\(NEEDED\\).*\\[(.+)]");

  private SharedLibraries() {}

  /** The libraries that are wanted and in none of the folders, each with who wants it. */
  static List<String> missing(List<Path> folders) throws IOException, InterruptedException {
    var files = new TreeSet<Path>();
    for (var folder : folders) {
      FileTrees.files(folder).forEach(each -> files.add(folder.resolve(each)));
    }
    var there = files.stream().map(SharedLibraries::name).collect(Collectors.toSet());
    var missing = new TreeSet<String>();
    for (var file : files) {
      for (var needed : needed(file)) {
        if (!there.contains(needed)) {
          missing.add("%s, which %s needs".formatted(needed, name(file)));
        }
      }
    }
    return List.copyOf(missing);
  }

  /** The libraries that a file names as needed; none where it is neither program nor library. */
  static List<String> needed(Path file) throws IOException, InterruptedException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) || !isElf(file)) {
      return List.of();
    }
    var command = List.of("readelf", "--dynamic", "--wide", file.toString());
    var dynamic = BuildTool.run(Path.of("."), command);
    return NEEDED.matcher(dynamic).results().map(each -> each.group(1)).toList();
  }

  private static boolean isElf(Path file) throws IOException {
    try (var content = Files.newInputStream(file)) {
      return Arrays.equals(content.readNBytes(ELF.length), ELF);
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }
}
