package dev.shipshape.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Reads text resources of this module's jar. */
final class Resource {
  private Resource() {}

  static String text(String name) {
    try (var stream = Resource.class.getResourceAsStream(name)) {
      if (stream == null) {
        throw new IllegalStateException("the sandbox's jar lacks its resource " + name);
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("could not read the resource " + name, e);
    }
  }
}
