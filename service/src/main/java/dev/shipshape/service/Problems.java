package dev.shipshape.service;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;

/** Collects the mistakes of one file. */
final class Problems {
  private record Problem(int line, String field, String message) {}

  private final String file;
  private final LinkedHashSet<Problem> found = new LinkedHashSet<>();

  Problems(String file) {
    this.file = file;
  }

  /**
   * @param line counted from 1
   * @param field the path of the field, dotted; empty for the file as a whole
   */
  void add(int line, String field, String message) {
    found.add(new Problem(line, field, message));
  }

  void throwIfAny() throws BadSettings {
    if (!found.isEmpty()) {
      throw asException();
    }
  }

  BadSettings asException() {
    return new BadSettings(lines());
  }

  private List<String> lines() {
    return found.stream()
        .sorted(Comparator.comparingInt(Problem::line))
        .map(
            p -> {
              var field = p.field().isEmpty() ? "" : p.field() + ": ";
              return "%s:%d: %s%s".formatted(file, p.line(), field, p.message());
            })
        .toList();
  }
}
