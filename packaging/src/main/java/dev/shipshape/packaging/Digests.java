package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** SHA-256 in hexadecimal. */
final class Digests {
  private static final int LENGTH = 64;

  private Digests() {}

  static String of(Path file) throws IOException, InterruptedException {
    return sums(Path.of("."), List.of(file.toString())).substring(0, LENGTH);
  }

  /** Returns lines for {@code sha256sum --check}. */
  static String sums(Path folder, List<String> files) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("sha256sum", "--"));
    command.addAll(files);
    return BuildTool.run(folder, command);
  }
}
