package dev.shipshape.packaging;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** What would else differ between two builds of one commit. */
final class Reproducible {
  /**
   * The modification time of everything shipped; the same as the POM's for jars. It stands in
   * plugin/bin/shipshape too: with another one of the application's jar the JVM takes no AOT cache.
   */
  static final Instant TIME = Instant.parse("2026-11-21T00:00:00Z");

  static final LocalDateTime LOCAL_TIME = LocalDateTime.ofInstant(TIME, ZoneOffset.UTC);

  private Reproducible() {}
}
