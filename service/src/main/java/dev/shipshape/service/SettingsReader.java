package dev.shipshape.service;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
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

  /** The end of the message for a file that is not a mapping. */
  private static final String SETTINGS = " that begins with apiVersion: " + API_VERSION;

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
      var problems = new Problems(file.toString());
      var top = new Section("", compose(Files.readString(file), "", problems), problems);
      var part = mapping.apply(top);
      problems.throwIfAny();
      return Optional.of(part);
    } catch (BadSettings | IOException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads a text.
   *
   * @param file the name of the text in messages
   */
  public static <T> T parse(String file, String yaml, Function<Section, T> mapping)
      throws BadSettings {
    var problems = new Problems(file);
    var top = new Section("", compose(yaml, SETTINGS, problems), problems);
    var version = top.text("apiVersion", "");
    if (!version.equals(API_VERSION)) {
      top.problem("apiVersion", "must be " + API_VERSION);
    }
    var _ = Logging.from(top);
    var settings = mapping.apply(top);
    top.reportUnread();
    problems.throwIfAny();
    return settings;
  }

  private static MappingNode compose(String yaml, String requirement, Problems problems)
      throws BadSettings {
    try {
      var node = new Compose(LoadSettings.builder().build()).composeString(yaml).orElse(null);
      if (node instanceof MappingNode mapping) {
        return mapping;
      }
      problems.add(1, "", "must be a mapping" + requirement);
    } catch (MarkedYamlEngineException e) {
      var line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      problems.add(line, "", "not YAML: " + e.getProblem());
    } catch (YamlEngineException e) {
      problems.add(1, "", "not YAML: " + e.getMessage());
    }
    throw problems.asException();
  }
}
