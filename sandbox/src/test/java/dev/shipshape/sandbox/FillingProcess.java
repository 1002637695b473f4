package dev.shipshape.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A process that fills a cache, and is not done before its standard input ends. */
class FillingProcess {
  static final String STARTED = "filling";

  private record Slow() implements ProgramSource {
    @Override
    public String name() {
      return "a slow source";
    }

    @Override
    public String version() {
      return "1";
    }

    @Override
    public void get(Set<Program> missing, Path into, Path workshop, Progress progress) {
      progress.report(STARTED);
      try {
        System.in.readAllBytes();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      missing.forEach(program -> TestingSource.put(into, program));
    }
  }

  public static void main(String[] arguments) {
    var cache = new ProgramCache(Path.of(arguments[0]));
    new ProgramSearch(Map.of(), cache, List.of(new Slow()))
        .find(EnumSet.allOf(Program.class), System.out::println);
  }
}
