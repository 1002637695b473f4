package dev.shipshape.packaging;

import java.util.Locale;

/** What the machine is that packaging runs on; jlink makes runtimes for its own platform only. */
enum Platform {
  AMD64,
  ARM64;

  /** This machine. */
  static Platform current() {
    var architecture = System.getProperty("os.arch");
    return switch (architecture) {
      case "amd64", "x86_64" -> AMD64;
      case "aarch64" -> ARM64;
      default -> throw new IllegalStateException("no runtime for " + architecture + " yet");
    };
  }

  /** As Netty's native libraries are named by it. */
  String machine() {
    return switch (this) {
      case AMD64 -> "x86_64";
      case ARM64 -> "aarch_64";
    };
  }

  /** As Go, Debian and OCI name it. */
  String architecture() {
    return name().toLowerCase(Locale.ROOT);
  }
}
