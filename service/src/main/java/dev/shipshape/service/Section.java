package dev.shipshape.service;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * One mapping of a settings file. Each getter names a field, and returns the fallback if the field
 * is absent. If the field is invalid, it reports the mistake and returns the fallback too, so that
 * one reading finds all mistakes. A field that no getter has named is an unknown field.
 */
public final class Section {
  private static final Compose COMPOSE = new Compose(LoadSettings.builder().build());

  /** The line is counted from 1; the path of the field is empty for the file as a whole. */
  record Problem(int line, String field, String message) {
    String in(String file) {
      return "%s:%d: %s%s".formatted(file, line, field.isEmpty() ? "" : field + ": ", message);
    }
  }

  private final String path;
  private final int line;
  private final Collection<Problem> problems;
  private final Map<String, Node> fields = new LinkedHashMap<>();
  private final Map<String, Integer> lines = new LinkedHashMap<>();
  private final Set<String> knownFields = new LinkedHashSet<>();
  private final List<Section> children = new ArrayList<>();

  Section(String path, @Nullable MappingNode node, Collection<Problem> problems) {
    this.path = path;
    this.problems = problems;
    this.line = node == null ? 1 : lineOf(node);
    if (node != null) {
      for (var entry : node.getValue()) {
        var key = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
        lines.putIfAbsent(key, lineOf(entry.getKeyNode()));
        if (fields.putIfAbsent(key, entry.getValueNode()) != null) {
          problems.add(new Problem(lineOf(entry.getKeyNode()), fullPath(key), "is a duplicate"));
        }
      }
    }
  }

  public boolean has(String field) {
    knownFields.add(field);
    var node = fields.get(field);
    return node != null && !Tag.NULL.equals(node.getTag());
  }

  public String text(String field, String fallback) {
    return text(field).orElse(fallback);
  }

  public Optional<String> text(String field) {
    return scalar(field, "a string", Function.identity());
  }

  /** Returns a required text. If it is absent, reports it and returns the empty string. */
  public String required(String field) {
    var text = text(field);
    if (text.isEmpty() && !has(field)) {
      problem(field, "is required");
    }
    return text.orElse("");
  }

  /** Returns a whole number between two bounds, both inclusive. */
  public int integer(String field, int fallback, int min, int max) {
    var expected = "a whole number from %d to %d".formatted(min, max);
    return scalar(
            field,
            expected,
            text -> {
              var number = Integer.parseInt(text);
              if (number < min || number > max) {
                throw new IllegalArgumentException("must be " + expected + ", not " + text);
              }
              return number;
            })
        .orElse(fallback);
  }

  public boolean flag(String field, boolean fallback) {
    return scalar(
            field,
            "true or false",
            text ->
                switch (text) {
                  case "true" -> true;
                  case "false" -> false;
                  default ->
                      throw new IllegalArgumentException("must be true or false, not " + text);
                })
        .orElse(fallback);
  }

  /** Returns a duration in the form of {@link Durations#parse}. */
  public Duration duration(String field, Duration fallback) {
    return scalar(field, "a duration", Durations::parse).orElse(fallback);
  }

  /** Returns a duration of more than 0. */
  public Duration positive(String field, Duration fallback) {
    var duration = duration(field, fallback);
    if (duration.isZero()) {
      problem(field, "must be more than 0");
      return fallback;
    }
    return duration;
  }

  /** Returns an enum constant, which the file has in lower case with hyphens. */
  public <E extends Enum<E>> E choice(String field, E fallback) {
    var type = fallback.getDeclaringClass();
    return scalar(field, "a string", text -> constant(type, text)).orElse(fallback);
  }

  /** Parses a text of {@link #written}; IllegalArgumentException if there is no such constant. */
  public static <E extends Enum<E>> E constant(Class<E> type, String text) {
    var constants = type.getEnumConstants();
    return Arrays.stream(constants)
        .filter(constant -> written(constant).equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    Arrays.stream(constants)
                        .map(Section::written)
                        .collect(Collectors.joining(", ", "must be one of ", ""))));
  }

  /** Returns a parsed text. Reports an IllegalArgumentException of {@code parse}. */
  public <T> T parsed(String field, T fallback, Function<String, T> parse) {
    return scalar(field, "a string", parse).orElse(fallback);
  }

  /** Empty if the field is absent. */
  public List<String> texts(String field) {
    return texts(field, Function.identity());
  }

  /** Empty if the field is absent. Reports an IllegalArgumentException of {@code parse}. */
  public <T> List<T> texts(String field, Function<String, T> parse) {
    var parsed = new ArrayList<T>();
    var nodes = elements(field);
    for (var i = 0; i < nodes.size(); i++) {
      if (nodes.get(i) instanceof ScalarNode scalar) {
        try {
          parsed.add(parse.apply(scalar.getValue()));
        } catch (IllegalArgumentException e) {
          var place = "%s[%d]".formatted(fullPath(field), i);
          problems.add(new Problem(lineOf(scalar), place, String.valueOf(e.getMessage())));
        }
      } else {
        problems.add(
            new Problem(lineOf(nodes.get(i)), fullPath(field), "each element must be a string"));
      }
    }
    return List.copyOf(parsed);
  }

  /** In the file's order. Reports an IllegalArgumentException of {@code parse}. */
  public <T> List<T> entries(String field, BiFunction<String, String, T> parse) {
    var section = section(field);
    section.fields.keySet().stream()
        .filter(key -> !section.has(key))
        .forEach(key -> section.problem(key, "must have a value, such as \"\""));
    return section.fields.keySet().stream()
        .flatMap(key -> section.scalar(key, "a string", text -> parse.apply(key, text)).stream())
        .toList();
  }

  /** Returns unchecked data as maps, lists, texts, numbers and booleans. */
  public Optional<Object> data(String field) {
    if (!has(field)) {
      return Optional.empty();
    }
    var constructor = new StandardConstructor(LoadSettings.builder().build());
    return Optional.ofNullable(
        constructor.constructSingleDocument(Optional.ofNullable(fields.get(field))));
  }

  /** Returns a nested section; an empty one if it is absent. */
  public Section section(String field) {
    MappingNode mapping = null;
    if (has(field)) {
      if (fields.get(field) instanceof MappingNode node) {
        mapping = node;
      } else {
        problem(field, "must be a mapping");
      }
    }
    return child(fullPath(field), mapping);
  }

  /** Returns a list of sections; empty if it is absent. */
  public List<Section> sections(String field) {
    var sections = new ArrayList<Section>();
    for (var node : elements(field)) {
      var place = fullPath(field) + "[" + sections.size() + "]";
      if (node instanceof MappingNode mapping) {
        sections.add(child(place, mapping));
      } else {
        problems.add(new Problem(lineOf(node), place, "must be a mapping"));
      }
    }
    return sections;
  }

  /** Returns a list of sections; the fallback, in YAML, if the field is absent. */
  public List<Section> sections(String field, String fallback) {
    if (!has(field)) {
      fields.put(field, COMPOSE.composeString(fallback).orElseThrow());
    }
    return sections(field);
  }

  /** Reports a mistake that only the caller can detect, for example two contradicting fields. */
  public void problem(String field, String message) {
    problems.add(new Problem(lines.getOrDefault(field, line), fullPath(field), message));
  }

  void reportUnread() {
    for (var field : fields.keySet()) {
      if (!knownFields.contains(field)) {
        problem(field, "unknown field; known here: " + String.join(", ", knownFields));
      }
    }
    children.forEach(Section::reportUnread);
  }

  private Section child(String place, @Nullable MappingNode node) {
    var section = new Section(place, node, problems);
    children.add(section);
    return section;
  }

  private List<Node> elements(String field) {
    if (has(field)) {
      if (fields.get(field) instanceof SequenceNode sequence) {
        return sequence.getValue();
      }
      problem(field, "must be a list");
    }
    return List.of();
  }

  private <T> Optional<T> scalar(String field, String expected, Function<String, T> parse) {
    if (!has(field)) {
      return Optional.empty();
    }
    if (!(fields.get(field) instanceof ScalarNode scalar)) {
      problem(field, "must be " + expected);
      return Optional.empty();
    }
    try {
      return Optional.of(parse.apply(scalar.getValue()));
    } catch (NumberFormatException e) {
      problem(field, "must be %s, not %s".formatted(expected, scalar.getValue()));
    } catch (IllegalArgumentException e) {
      problem(field, String.valueOf(e.getMessage()));
    }
    return Optional.empty();
  }

  private String fullPath(String field) {
    return path.isEmpty() ? field : path + "." + field;
  }

  /** Returns the form of a constant in settings, metrics and reports: lower case with hyphens. */
  public static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static int lineOf(Node node) {
    return node.getStartMark().map(mark -> mark.getLine() + 1).orElse(1);
  }
}
