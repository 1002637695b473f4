package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads manifests as kubectl does, and keeps the line of each field: YAML with several documents,
 * JSON, lists, and what {@code helm template} or {@code kustomize build} print.
 */
public final class ManifestReader {
  private static final LoadSettings SETTINGS =
      LoadSettings.builder()
          .setCodePointLimit(Integer.MAX_VALUE)
          .setSchema(new YamlScalars())
          .build();

  private static final Pattern MARK = Pattern.compile("(?m)^\ufeff");

  /** An alias repeats what may itself have aliases: a page of text could fill any memory. */
  private static final int MOST_NODES = 5_000_000;

  private final Consumer<ManifestObject> objects;
  private final Consumer<Problem> problems;
  private final String file;
  private int nodes;

  private ManifestReader(
      String file, Consumer<ManifestObject> objects, Consumer<Problem> problems) {
    this.file = file;
    this.objects = objects;
    this.problems = problems;
  }

  /**
   * The files that are meant: of a folder, all below it that end in .yaml, .yml or .json, sorted.
   *
   * @param problems gets each name under which nothing is found
   */
  public static List<String> files(List<String> names, Consumer<Problem> problems) {
    var files = new ArrayList<String>();
    for (var name : names) {
      var path = Path.of(name);
      if (name.equals("-") || !Files.isDirectory(path)) {
        files.add(name);
        continue;
      }
      try (var below = Files.walk(path)) {
        below
            .filter(each -> Files.isRegularFile(each) && isManifest(each))
            .map(Path::toString)
            .sorted()
            .forEach(files::add);
      } catch (IOException | java.io.UncheckedIOException e) {
        problems.accept(new Problem(name, 1, "cannot be read: " + e.getMessage()));
      }
    }
    return files;
  }

  private static boolean isManifest(Path file) {
    var name = file.getFileName().toString();
    return Stream.of(".yaml", ".yml", ".json").anyMatch(name::endsWith);
  }

  /** Reads a file, or standard input if it is -, to its end or to its first mistake. */
  public static void read(
      String file, Consumer<ManifestObject> objects, Consumer<Problem> problems) {
    try {
      var bytes = file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
      var text = StandardCharsets.UTF_8.newDecoder().decode(java.nio.ByteBuffer.wrap(bytes));
      parse(file, text.toString(), objects, problems);
    } catch (NoSuchFileException e) {
      problems.accept(new Problem(file, 1, "there is no such file"));
    } catch (CharacterCodingException e) {
      problems.accept(new Problem(file, 1, "is not UTF-8"));
    } catch (IOException e) {
      problems.accept(new Problem(file, 1, "cannot be read: " + e.getMessage()));
    }
  }

  /** Reads a text. */
  static void parse(
      String file, String text, Consumer<ManifestObject> objects, Consumer<Problem> problems) {
    new ManifestReader(file, objects, problems).parse(text);
  }

  private void parse(String text) {
    // Files that each begin with a mark may have been put together to this one.
    var withoutMark = MARK.matcher(text).replaceAll("");
    var begin = withoutMark.stripLeading();
    // JSON is YAML but for the tabs that it may be indented with; a string cannot hold one.
    var yaml =
        begin.startsWith("{") || begin.startsWith("[")
            ? withoutMark.replace('\t', ' ')
            : withoutMark;
    try {
      for (var document : new Compose(SETTINGS).composeAllFromString(yaml)) {
        document(document);
      }
    } catch (MarkedYamlEngineException e) {
      var line = e.getProblemMark().map(mark -> mark.getLine() + 1).orElse(1);
      problems.accept(new Problem(file, line, "not YAML: " + e.getProblem()));
    } catch (YamlEngineException e) {
      problems.accept(new Problem(file, 1, "not YAML: " + e.getMessage()));
    } catch (Unreadable e) {
      problems.accept(e.problem);
    } catch (StackOverflowError e) {
      problems.accept(new Problem(file, 1, "is nested too deep"));
    }
  }

  private void document(Node node) throws Unreadable {
    if (node instanceof ScalarNode scalar && scalar(scalar).isNull()) {
      return;
    }
    if (!(node instanceof MappingNode mapping)) {
      throw new Unreadable(node, "is no object");
    }
    flatten(new ManifestObject(file, object(mapping), mapping));
  }

  /** A list is what is in it. */
  private void flatten(ManifestObject object) throws Unreadable {
    for (var field : List.of("apiVersion", "kind")) {
      if (object.text("/" + field).isEmpty()) {
        problems.accept(
            new Problem(file, ManifestObject.line(object.node()), "is an object without " + field));
        return;
      }
    }
    if (!object.text("/kind").endsWith("List") || !object.json().path("items").isArray()) {
      objects.accept(object);
      return;
    }
    for (var at = 0; at < object.json().path("items").size(); at++) {
      var item =
          object
              .within("/items/" + at)
              .orElseThrow(() -> new Unreadable(object.node(), "has an item that is no object"));
      flatten(item);
    }
  }

  private ObjectNode object(MappingNode mapping) throws Unreadable {
    var object = JsonNodeFactory.instance.objectNode();
    for (var entry : mapping.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw new Unreadable(entry.getKeyNode(), "has a key that is no text");
      }
      var name = key.getValue();
      if (name.equals("<<")) {
        throw new Unreadable(key, "has a merge key (<<), which is not read here");
      }
      if (object.replace(name, value(entry.getValueNode())) != null) {
        throw new Unreadable(key, "has %s twice".formatted(name));
      }
    }
    return object;
  }

  private JsonNode value(Node node) throws Unreadable {
    if (++nodes > MOST_NODES) {
      throw new Unreadable(node, "has more than %,d values".formatted(MOST_NODES));
    }
    return switch (node) {
      case MappingNode mapping -> object(mapping);
      case SequenceNode list -> {
        var array = JsonNodeFactory.instance.arrayNode();
        for (var element : list.getValue()) {
          array.add(value(element));
        }
        yield array;
      }
      case ScalarNode scalar -> scalar(scalar);
      default -> throw new Unreadable(node, "is an alias of what it is in");
    };
  }

  private JsonNode scalar(ScalarNode scalar) throws Unreadable {
    try {
      return YamlScalars.read(scalar);
    } catch (ArithmeticException | NumberFormatException e) {
      throw new Unreadable(scalar, "has a number whose exponent is too large");
    }
  }

  private final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Problem problem;

    Unreadable(Node at, String message) {
      super(message);
      problem = new Problem(file, ManifestObject.line(at), message);
    }
  }
}
