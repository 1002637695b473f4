package dev.shipshape.packaging;

import java.util.Locale;

/** The kinds of processes; each has its own file of JVM options. */
enum Role {
  COMMAND,
  AUDIT,
  WEBHOOK,
  JANITOR;

  /** Its AOT cache, relative to the runtime. */
  String cache() {
    return "lib/" + name().toLowerCase(Locale.ROOT) + ".aot";
  }

  /** Its file of options, relative to the runtime. */
  String options() {
    return "options/" + name().toLowerCase(Locale.ROOT);
  }
}
