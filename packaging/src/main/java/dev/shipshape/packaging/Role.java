package dev.shipshape.packaging;

import java.util.Locale;

/** The kinds of processes; each has its own file of JVM options. */
enum Role {
  COMMAND("lib/command.aot"),
  AUDIT("lib/audit.aot"),
  WEBHOOK("lib/webhook.aot"),
  JANITOR("lib/janitor.aot");

  private final String cache;

  Role(String cache) {
    this.cache = cache;
  }

  /** Its AOT cache, relative to the runtime. */
  String cache() {
    return cache;
  }

  /** Its file of options, relative to the runtime. */
  String options() {
    return "options/" + name().toLowerCase(Locale.ROOT);
  }
}
