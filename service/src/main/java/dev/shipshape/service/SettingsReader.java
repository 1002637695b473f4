package dev.shipshape.service;

import dev.shipshape.service.Section.Problem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;

/**
 * Reads a YAML 1.2 settings file into a record, and reports all mistakes at once: wrong types,
 * wrong units, invalid values, unknown and repeated fields, each with file, line and field.
 */
public final class SettingsReader {
  static final String API_VERSION = "shipshape.dev/v1";

  private SettingsReader() {}

  /**
   * Reads a file.
   *
   * @param mapping makes the record from the file's top section; it reports mistakes to the section
   *     and continues with the fallback, so that one reading finds them all
   * @throws BadSettings if the file cannot be read or has a mistake
   */
  public static <T> T read(Path file, Function<Section, T> mapping) throws BadSettings {
    try {
      return parse(file.toString(), Files.readString(file), mapping);
    } catch (NoSuchFileException e) {
      throw new BadSettings(List.of(file + ": there is no such file"));
    } catch (AccessDeniedException e) {
      throw new BadSettings(List.of(file + ": could not be read: permission denied"));
    } catch (IOException e) {
      throw new BadSettings(List.of(file + ": could not be read: " + e.getMessage()));
    }
  }

  /**
   * Reads one part of a file, whose other parts may be invalid.
   *
   * @param mapping reads that part only
   * @return empty if the file cannot be read, or the part has a mistake
   */
  public static <T> Optional<T> readPart(Path file, Function<Section, T> mapping) {
    try {
      var problems = new LinkedHashSet<Problem>();
      var top = new Section("", compose("", Files.readString(file)), problems);
      var part = mapping.apply(top);
      return problems.isEmpty() ? Optional.of(part) : Optional.empty();
    } catch (BadSettings | IOException e) {
      return Optional.empty();
    }
  }

  /** Reads a file of the resources beside a class. */
  public static <T> T shipped(Class<?> owner, String file, Function<Section, T> mapping) {
    try (var resource = Objects.requireNonNull(owner.getResourceAsStream(file), file)) {
      return parse(file, new String(resource.readAllBytes(), StandardCharsets.UTF_8), mapping);
    } catch (IOException | BadSettings e) {
      throw new IllegalStateException("could not read " + file, e);
    }
  }

  /** Reads a text that messages call {@code file}. */
  public static <T> T parse(String file, String yaml, Function<Section, T> mapping)
      throws BadSettings {
    var problems = new LinkedHashSet<Problem>();
    var top = new Section("", compose(file, yaml), problems);
    var version = top.text("apiVersion", "");
    if (!version.equals(API_VERSION)) {
      top.problem("apiVersion", "must be " + API_VERSION);
    }
    var _ = Logging.from(top);
    var settings = mapping.apply(top);
    top.reportUnread();
    if (problems.isEmpty()) {
      return settings;
    }
    throw new BadSettings(
        problems.stream()
            .sorted(Comparator.comparingInt(Problem::line))
            .map(problem -> problem.in(file))
            .toList());
  }

  private static MappingNode compose(String file, String yaml) throws BadSettings {
    try {
      var node = new Compose(LoadSettings.builder().build()).composeString(yaml).orElse(null);
      if (node instanceof MappingNode mapping) {
        return mapping;
      }
      throw bad(file, 1, "must be a mapping that begins with apiVersion: " + API_VERSION);
    } catch (MarkedYamlEngineException e) {
      var line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      throw bad(file, line, "not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      throw bad(file, 1, "not YAML: " + e.getMessage());
    }
  }

  private static BadSettings bad(String file, int line, String message) {
    return new BadSettings(List.of(new Problem(line, "", message).in(file)));
  }
}
