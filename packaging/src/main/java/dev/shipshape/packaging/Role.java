package dev.shipshape.packaging;

import java.util.Locale;

/** What a process of shipshape is: each has its file of JVM options. */
enum Role {
  COMMAND("lib/command.aot"),
  AUDIT("lib/audit.aot"),
  WEBHOOK("lib/webhook.aot"),
  JANITOR("lib/janitor.aot");

  private final String cache;

  Role(String cache) {
    this.cache = cache;
  }

  /** Its AOT cache, in the runtime. */
  String cache() {
    return cache;
  }

  /** Its file of options, in the runtime. */
  String options() {
    return "options/" + name().toLowerCase(Locale.ROOT);
  }
}
