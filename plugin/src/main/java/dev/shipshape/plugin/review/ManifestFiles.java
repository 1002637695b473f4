package dev.shipshape.plugin.review;

import dev.shipshape.audit.UnreadableLog;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.PatternSyntaxException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Finds the files of operands. */
public final class ManifestFiles {
  private static final String IGNORED = ".shipshapeignore";

  private ManifestFiles() {}

  /**
   * Parses a pattern for paths.
   *
   * @throws IllegalArgumentException if it is invalid
   */
  public static PathMatcher glob(String text) {
    var folder = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    var path = folder.startsWith("./") ? folder.substring(2) : folder;
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + path);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(
          "'%s' is no glob: %s".formatted(text, e.getDescription()), e);
    }
  }

  /**
   * Returns the files; for a folder, all .yaml, .yml and .json files below it, sorted, except those
   * in its .shipshapeignore.
   *
   * @param excluded by name, by path below the folder, or by the path of a folder that they are in
   * @param problems gets each operand without files, and notes of what .shipshapeignore leaves out
   */
  public static List<String> of(
      List<String> names, List<PathMatcher> excluded, Consumer<Problem> problems) {
    var files = new ArrayList<String>();
    for (var name : names) {
      var path = Path.of(name);
      if (name.isBlank()) {
        // As of a variable that is not set; it is not meant as the current folder.
        problems.accept(new Problem("''", 1, "a file has a name"));
      } else if (name.equals("-")) {
        files.add(name);
      } else if (Files.isDirectory(path)) {
        files.addAll(below(path, excluded, problems));
      } else if (!matches(path.normalize(), excluded)) {
        files.add(name);
      }
    }
    return files;
  }

  private static List<String> below(
      Path folder, List<PathMatcher> excluded, Consumer<Problem> problems) {
    var ignored = ignored(folder.resolve(IGNORED), problems);
    var found = new ArrayList<Path>();
    addFiles(
        folder,
        each -> isOfVolume(folder.relativize(each)) || matches(folder.relativize(each), excluded),
        found,
        problems);
    if (found.isEmpty()) {
      var none = "has no .yaml, .yml or .json file";
      problems.accept(new Problem(folder.toString(), 1, none));
    }
    var kept = found.stream().filter(each -> !matches(folder.relativize(each), ignored)).toList();
    if (kept.size() < found.size()) {
      var left = "leaves out %d of %d files".formatted(found.size() - kept.size(), found.size());
      problems.accept(new Problem(folder.resolve(IGNORED).toString(), 1, left, true));
    }
    return kept.stream().map(Path::toString).sorted().toList();
  }

  private static void addFiles(
      Path folder, Predicate<Path> isExcluded, List<Path> files, Consumer<Problem> problems) {
    var content = folder.toFile().listFiles();
    if (content == null) {
      problems.accept(new Problem(folder.toString(), 1, "cannot be read: may you list it?"));
      return;
    }
    for (var file : content) {
      var path = file.toPath();
      if (isExcluded.test(path)) {
        continue;
      }
      if (!file.isDirectory()) {
        // A link to nothing is a file that cannot be read.
        if (isManifest(path) && (file.isFile() || !file.exists())) {
          files.add(path);
        }
      } else if (!Files.isSymbolicLink(path)) {
        addFiles(path, isExcluded, files, problems);
      } else {
        // As with kubectl.
        problems.accept(
            new Problem(path.toString(), 1, "is a link to a folder, which is not read", true));
      }
    }
  }

  private static List<PathMatcher> ignored(Path file, Consumer<Problem> problems) {
    var ignored = new ArrayList<PathMatcher>();
    var line = 0;
    try {
      for (var text : Files.exists(file) ? Files.readAllLines(file) : List.<String>of()) {
        line++;
        var glob = text.strip();
        if (glob.startsWith("!")) {
          throw new IllegalArgumentException("an exception (!) is not supported: name the files");
        }
        if (!glob.isEmpty() && !glob.startsWith("#")) {
          ignored.add(glob(glob));
        }
      }
    } catch (IllegalArgumentException e) {
      problems.accept(new Problem(file.toString(), line, String.valueOf(e.getMessage())));
    } catch (IOException e) {
      problems.accept(
          new Problem(file.toString(), 1, "cannot be read: " + UnreadableLog.reason(e)));
    }
    return ignored;
  }

  private static boolean isManifest(Path file) {
    var name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    return Stream.of(".yaml", ".yml", ".json").anyMatch(name::endsWith);
  }

  /** The files of a mounted ConfigMap are links into such a folder. */
  private static boolean isOfVolume(Path file) {
    return StreamSupport.stream(file.spliterator(), false)
        .anyMatch(each -> each.toString().startsWith(".."));
  }

  private static boolean matches(Path file, List<PathMatcher> globs) {
    return IntStream.rangeClosed(1, file.getNameCount())
        .mapToObj(end -> file.subpath(0, end))
        .flatMap(path -> Stream.of(path, path.getFileName()))
        .anyMatch(path -> globs.stream().anyMatch(glob -> glob.matches(path)));
  }
}
