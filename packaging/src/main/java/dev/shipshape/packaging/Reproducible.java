package dev.shipshape.packaging;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/** The constant that makes builds reproducible. */
final class Reproducible {
  /**
   * The modification time of all shipped files; the POM has the same for jars, and
   * plugin/bin/shipshape too: the JVM accepts an AOT cache only for the jar's exact time.
   */
  static final Instant TIME = Instant.parse("2026-11-21T00:00:00Z");

  static final LocalDateTime LOCAL_TIME = LocalDateTime.ofInstant(TIME, ZoneOffset.UTC);

  private Reproducible() {}
}
