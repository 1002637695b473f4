package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The JVM's lists of loaded classes (-XX:DumpLoadedClassList), of several runs as one: sorted, so
 * that the order in which threads happened to load classes does not show.
 */
final class ClassList {
  private static final String RESOLVED = "@cp ";

  private final Set<String> lines = new TreeSet<>();
  private final Map<String, Set<Integer>> resolved = new TreeMap<>();

  void add(Path list) throws IOException {
    try (Stream<String> all = Files.lines(list)) {
      all.filter(line -> !line.startsWith("#") && !line.contains(" source: ")).forEach(this::add);
    }
  }

  private void add(String line) {
    if (!line.startsWith(RESOLVED)) {
      lines.add(line.replaceFirst(" id: \\d+", ""));
      return;
    }
    var words = List.of(line.split(" "));
    var entries = resolved.computeIfAbsent(words.get(1), each -> new TreeSet<>());
    words.stream().skip(2).map(Integer::valueOf).forEach(entries::add);
  }

  /** Classes first, because what is said of them has to come after them. */
  void write(Path target) throws IOException {
    var entries =
        resolved.entrySet().stream()
            .map(
                each ->
                    RESOLVED
                        + each.getKey()
                        + " "
                        + String.join(" ", each.getValue().stream().map(String::valueOf).toList()));
    Files.write(
        target,
        Stream.of(
                lines.stream().filter(line -> !line.startsWith("@")),
                lines.stream().filter(line -> line.startsWith("@")),
                entries)
            .flatMap(each -> each)
            .toList());
  }
}
