package dev.shipshape.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/** The demo's files, which lie beside this class. */
final class Resources {
  private Resources() {}

  /**
   * Reads a file and fills in its {@code ${name}} places.
   *
   * @throws IllegalStateException where a place stays empty
   */
  static String read(String file, Map<String, String> values) {
    try (var stream = Resources.class.getResourceAsStream(file)) {
      var text =
          new String(Objects.requireNonNull(stream, file).readAllBytes(), StandardCharsets.UTF_8);
      for (var value : values.entrySet()) {
        text = text.replace("${" + value.getKey() + "}", value.getValue());
      }
      if (text.contains("${")) {
        throw new IllegalStateException("a place in " + file + " was not filled: " + text);
      }
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException("could not read the demo's " + file, e);
    }
  }
}
