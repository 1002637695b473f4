package dev.shipshape.webhook;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The operators' own CustomResourceDefinitions, where a copy is at hand; tests that could do
 * without use definitions of ours.
 */
final class ReferenceDefinitions {
  private static final Path FOLDER = Path.of("../../shared/reference/crds");

  private ReferenceDefinitions() {}

  /** The definition's YAML; empty where there is no copy. */
  static Optional<String> find(String era, String plural) throws IOException {
    var file = FOLDER.resolve(era).resolve(plural + ".yaml");
    return Files.isRegularFile(file) ? Optional.of(Files.readString(file)) : Optional.empty();
  }
}
