package dev.shipshape.audit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** Outputs as they are to be. */
final class Golden {
  private Golden() {}

  static String text(String name) throws IOException {
    try (var in = Objects.requireNonNull(Golden.class.getResourceAsStream(name), name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
