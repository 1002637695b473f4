package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.plugin.release.YamlDocuments;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import picocli.CommandLine;

/** The objects in files, each with the preset's guard that knows its kind. */
final class Manifests {
  private final CommandLine command;
  private final List<Guard> guards =
      GuardReader.PRESETS.stream().flatMap(preset -> GuardReader.preset(preset).stream()).toList();
  private final List<String> problems = new ArrayList<>();

  Manifests(CommandLine command) {
    this.command = command;
  }

  /**
   * Reads all files, and keeps what cannot be read for {@link #reportProblems}.
   *
   * @param files with - for standard input
   */
  void readAll(List<String> files, BiConsumer<Guard, JsonNode> each) {
    for (var file : files) {
      try {
        for (var object : YamlDocuments.read(text(file))) {
          read(file, object, each);
        }
      } catch (IOException | RuntimeException e) {
        // The library throws whatever comes, for a file that is no YAML.
        problems.add("%s: cannot be read: %s".formatted(file, firstLine(e)));
      }
    }
  }

  /** Prints what could not be read; whether there was anything. */
  boolean reportProblems() {
    problems.forEach(command.getErr()::println);
    return !problems.isEmpty();
  }

  private static String text(String file) throws IOException {
    return file.equals("-")
        ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
        : Files.readString(Path.of(file));
  }

  private void read(String file, JsonNode object, BiConsumer<Guard, JsonNode> each) {
    if (object.path("items").isArray()) {
      object.path("items").forEach(item -> read(file, item, each));
      return;
    }
    guardOf(object)
        .ifPresentOrElse(
            guard -> each.accept(guard, object),
            () ->
                problems.add(
                    "%s: %s: no preset knows %s %s"
                        .formatted(
                            file, nameOf(object), at(object, "/apiVersion"), kindOf(object))));
  }

  private Optional<Guard> guardOf(JsonNode object) {
    return guards.stream()
        .filter(
            guard ->
                (guard.resource().group() + "/" + guard.resource().version())
                        .equals(at(object, "/apiVersion"))
                    && guard.resource().kind().equals(kindOf(object)))
        .findFirst();
  }

  /** Kind and name, for messages. */
  static String nameOf(JsonNode object) {
    return "%s %s".formatted(kindOf(object), at(object, "/metadata/name"));
  }

  private static String kindOf(JsonNode object) {
    return at(object, "/kind");
  }

  private static String at(JsonNode object, String pointer) {
    return object.at(pointer).asText("?");
  }

  private static String firstLine(Exception failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse(failure.toString());
  }
}
