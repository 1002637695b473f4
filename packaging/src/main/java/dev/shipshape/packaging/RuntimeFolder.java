package dev.shipshape.packaging;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * The runtime as it is shipped: a trimmed JDK with the application in it, its options, its cache.
 */
record RuntimeFolder(Path path) {
  private static final Set<String> PROGRAMS = Set.of("java");

  /** Quartz wants {@code java.beans}, whose module brings all of the desktop's native libraries. */
  private static final String NO_DESKTOP_LIBRARIES = "--exclude-files=/java.desktop/lib/**";

  /** Links the module with what it needs of this JDK. */
  static RuntimeFolder link(Path module, Path target) throws IOException {
    Trees.delete(target);
    var messages = new StringWriter();
    var exit =
        ToolProvider.findFirst("jlink")
            .orElseThrow(() -> new IllegalStateException("this JDK has no jlink"))
            .run(
                new PrintWriter(messages, true),
                new PrintWriter(messages, true),
                "--module-path=" + module,
                "--add-modules=" + ApplicationModule.NAME,
                "--no-header-files",
                "--no-man-pages",
                NO_DESKTOP_LIBRARIES,
                "--output=" + target);
    if (exit != 0) {
      throw new IllegalStateException("jlink ended with %d: %s".formatted(exit, messages));
    }
    var runtime = new RuntimeFolder(target);
    runtime.trim();
    return runtime;
  }

  Path java() {
    return path.resolve("bin/java");
  }

  /** Copies the JVM's options, one file a role. */
  void takeOptions(Path options) throws IOException {
    Trees.copy(options, path.resolve("options"));
  }

  /**
   * Copies the native libraries that the jars carry for this platform to where the JVM looks first:
   * unpacking them at run time would take a folder that can be written.
   */
  void takeLibraries(List<Path> jars, Platform platform) throws IOException {
    var suffix = "_linux_" + platform.machine() + ".so";
    for (var jar : jars) {
      try (var file = new JarFile(jar.toFile())) {
        for (var entry : Collections.list(file.entries())) {
          var name = entry.getName();
          if (name.startsWith("META-INF/native/lib") && name.endsWith(suffix)) {
            var library = path.resolve("lib").resolve(Path.of(name).getFileName());
            try (var content = file.getInputStream(entry)) {
              Files.copy(content, library);
            }
          }
        }
      }
    }
  }

  /** Neither links nor read-only files: Helm refuses the first and stumbles over the second. */
  private void trim() throws IOException {
    try (Stream<Path> programs = Files.list(path.resolve("bin"))) {
      for (var each : programs.filter(one -> !PROGRAMS.contains(name(one))).toList()) {
        Files.delete(each);
      }
    }
    Files.delete(path.resolve("lib/jexec"));
    Files.delete(path.resolve("lib/jrt-fs.jar"));
    try (Stream<Path> all = Files.walk(path)) {
      for (var each : all.sorted(Comparator.naturalOrder()).toList()) {
        if (Files.isSymbolicLink(each)) {
          Files.copy(each.toRealPath(), each, StandardCopyOption.REPLACE_EXISTING);
        }
        var program = Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS) || Tar.isProgram(each);
        Files.setPosixFilePermissions(
            each, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
      }
    }
  }

  private static String name(Path file) {
    return file.getFileName().toString();
  }
}
