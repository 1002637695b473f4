package dev.shipshape.packaging;

import java.util.Locale;

/** A platform that is shipped for. */
enum Platform {
  AMD64,
  ARM64;

  static Platform current() {
    var architecture = System.getProperty("os.arch");
    return switch (architecture) {
      case "amd64", "x86_64" -> AMD64;
      case "aarch64" -> ARM64;
      default -> throw new IllegalStateException("no runtime for " + architecture + " yet");
    };
  }

  Platform other() {
    return this == AMD64 ? ARM64 : AMD64;
  }

  /** Netty's name, in the names of its native libraries. */
  String machine() {
    return this == AMD64 ? "x86_64" : "aarch_64";
  }

  /** The name that Go, Debian and OCI use. */
  String architecture() {
    return name().toLowerCase(Locale.ROOT);
  }
}
