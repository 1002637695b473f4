package dev.shipshape.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Gives programs that do nothing, or fails.
 *
 * @param asked what was asked of it so far
 */
record TestingSource(String version, boolean works, List<Set<Program>> asked)
    implements ProgramSource {

  static TestingSource working(String version) {
    return new TestingSource(version, true, new ArrayList<>());
  }

  static TestingSource failing(String version) {
    return new TestingSource(version, false, new ArrayList<>());
  }

  static void putAll(Path folder) {
    for (var program : Program.values()) {
      put(folder, program);
    }
  }

  static void put(Path folder, Program program) {
    try {
      Files.createDirectories(folder);
      var complete = Files.createTempFile(folder, "new", null);
      Release.install(complete, folder.resolve(program.fileName()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String name() {
    return "source " + version;
  }

  @Override
  public void get(Set<Program> missing, Path into, Path workshop, Progress progress) {
    asked.add(Set.copyOf(missing));
    if (!works) {
      throw new SandboxException("out of order");
    }
    missing.forEach(program -> put(into, program));
  }
}
