package dev.shipshape.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;

/** The shipped runtime: a trimmed JDK with the application's jar, JVM options and AOT caches. */
record RuntimeFolder(Path path) {
  static final String JAR = "lib/shipshape.jar";

  /** The folder of native libraries in jars. */
  static final String NATIVE = "META-INF/native/";

  /**
   * Links the JDK's modules that the jar needs, and adds the jar and the JVM options.
   *
   * @param jdk the platform's: this process' own, or one with a folder {@code jmods}
   */
  static RuntimeFolder link(
      Path jar, Path merged, Path options, Platform platform, Path jdk, Path target)
      throws IOException, InterruptedException {
    FileTrees.empty(target);
    Files.delete(target);
    var modules =
        run(
            "jdeps",
            "--print-module-deps",
            "--ignore-missing-deps",
            "--multi-release=25",
            "" + jar);
    run(
        "jlink",
        // A folder that is not there is that of a JDK which links itself without.
        "--module-path=" + jdk.resolve("jmods"),
        "--add-modules=" + modules.strip(),
        "--no-header-files",
        "--no-man-pages",
        "--compress=zip-6",
        // Without the JDK's line numbers, which are a sixth of its size.
        "--strip-java-debug-attributes",
        // Quartz needs java.beans, whose module has all native libraries of the desktop.
        "--exclude-files=/java.desktop/lib/**,/java.base/lib/jexec,/java.base/lib/jrt-fs.jar,**.debuginfo",
        "--output=" + target);
    var runtime = new RuntimeFolder(target);
    runtime.keepOnlyJava();
    Files.copy(jar, target.resolve(JAR));
    Files.setLastModifiedTime(target.resolve(JAR), FileTime.from(Reproducible.TIME));
    runtime.takeLibraries(merged, platform);
    FileTrees.copy(options, target.resolve("options"), each -> true);
    FileTrees.setModes(target);
    return runtime;
  }

  /** Runs a program of this process' JDK. */
  private static String run(String program, String... arguments)
      throws IOException, InterruptedException {
    var home = Path.of(System.getProperty("java.home"));
    var command = new ArrayList<String>();
    command.add(home.resolve("bin").resolve(program).toString());
    command.addAll(List.of(arguments));
    return BuildTool.run(home, command);
  }

  private void keepOnlyJava() throws IOException {
    var programs = path.resolve("bin");
    for (var program : FileTrees.files(programs)) {
      if (!program.equals("java")) {
        Files.delete(programs.resolve(program));
      }
    }
  }

  /**
   * Copies the jar's native libraries for this platform into the JVM's search path: unpacking them
   * at run time would need a writable folder.
   */
  private void takeLibraries(Path merged, Platform platform) throws IOException {
    var library = NATIVE + "lib.*_linux_%s\\.so".formatted(platform.machine());
    try (var jar = new JarFile(merged.toFile())) {
      for (var entry : jar.stream().filter(each -> each.getName().matches(library)).toList()) {
        try (var content = jar.getInputStream(entry)) {
          Files.copy(content, path.resolve("lib").resolve(Path.of(entry.getName()).getFileName()));
        }
      }
    }
  }
}
