package dev.shipshape.plugin;

import dev.shipshape.service.StartFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a release and the list that came with them, in sha256sum's form.
 *
 * @param folder the folder of the list, to which its paths are relative
 * @param sums SHA-256 by path
 */
record InstalledFiles(Path folder, Map<String, String> sums) {
  private static final String LIST = "files.sha256";
  private static final int SUM_LENGTH = 64;

  static boolean hasList(Path folder) {
    return Files.isRegularFile(folder.resolve(LIST));
  }

  /** Reads the list. */
  static InstalledFiles in(Path folder) {
    var list = folder.resolve(LIST);
    try {
      var sums = new TreeMap<String, String>();
      for (var line : Files.readAllLines(list)) {
        sums.put(line.substring(SUM_LENGTH).strip(), line.substring(0, SUM_LENGTH));
      }
      return new InstalledFiles(folder.toAbsolutePath().normalize(), sums);
    } catch (IOException | StringIndexOutOfBoundsException e) {
      throw new StartFailure("could not read the list of files " + list + ": " + e, e);
    }
  }

  int size() {
    return sums.size();
  }

  /** What is not as listed, one line each. */
  List<String> problems() {
    var problems = new ArrayList<String>();
    sums.forEach(
        (path, sum) -> {
          var file = folder.resolve(path);
          if (!Files.isRegularFile(file)) {
            problems.add(file + ": is missing");
          } else if (!sum.equals(sum(file))) {
            problems.add(file + ": is changed");
          }
        });
    problems.addAll(unlisted());
    return problems;
  }

  /** Helm itself puts files beside the release's, but none into its folders. */
  private List<String> unlisted() {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !folder.equals(file.getParent()))
          .filter(file -> !sums.containsKey(folder.relativize(file).toString()))
          .map(file -> file + ": is none of the release's")
          .toList();
    } catch (IOException e) {
      throw new StartFailure("could not list " + folder + ": " + e, e);
    }
  }

  private static String sum(Path file) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (IOException e) {
      throw new StartFailure("could not read " + file + ": " + e, e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
