package dev.shipshape.plugin.review;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.plugin.review.ManifestObject.Place;
import dev.shipshape.plugin.review.ManifestObject.Spelling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.ParserException;

/**
 * Builds the tree of a YAML document, and continues behind what it cannot read. It keeps what is
 * not in the tree: lines, spellings and faults of each object.
 */
final class DocumentReader {
  /** Bounds the memory of aliases, which may repeat values with aliases in them. */
  private static final int MAX_REPEATED = 1_000_000;

  /** Deeper than any object, and far from the limit of a thread's stack. */
  private static final int MAX_DEPTH = 1_000;

  /** Bounds the work for spellings, whose places are extended on each level. */
  private static final int MAX_SPELLINGS = 10_000;

  private static final int MAX_SPELLING_DEPTH = 100;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** A value that an alias may repeat, and how many values it consists of. */
  private record Anchored(JsonNode value, int size) {}

  private final IdentityHashMap<ObjectNode, Place> places = new IdentityHashMap<>();
  private final Map<String, Anchored> anchors = new HashMap<>();
  private final List<Spelling> spellings = new ArrayList<>();
  private final List<Problem> faults = new ArrayList<>();
  private final Iterator<Event> events;
  private final String file;
  private final int firstLine;
  private int depth;
  private int values;
  private int repeated;

  /**
   * @param events behind the start of the document
   * @param firstLine of the text that they come from, from 1
   */
  DocumentReader(Iterator<Event> events, String file, int firstLine) {
    this.events = events;
    this.file = file;
    this.firstLine = firstLine;
  }

  /**
   * Reads the document; empty if it has no object.
   *
   * @param source the template that rendered it; empty if unknown
   * @throws org.snakeyaml.engine.v2.exceptions.YamlEngineException if it is not YAML
   */
  Optional<ManifestObject> read(String source) {
    var root = events.next();
    var value = value(root);
    if (value instanceof ObjectNode object) {
      var place = places.getOrDefault(object, new Place(line(root)));
      return Optional.of(new ManifestObject(file, source, object, place, places));
    }
    if (!value.isNull()) {
      fault(root, "is no object");
    }
    return Optional.empty();
  }

  /** Returns what could not be read, by line. */
  List<Problem> faults() {
    return faults;
  }

  private int line(Event event) {
    return firstLine + event.getStartMark().map(Mark::getLine).orElse(0);
  }

  private JsonNode value(Event event) {
    if (++depth > MAX_DEPTH) {
      throw new ParserException("nested too deep", event.getStartMark());
    }
    var before = values++;
    var value =
        switch (event) {
          case ScalarEvent scalar -> scalar(scalar);
          case SequenceStartEvent _ -> list();
          case MappingStartEvent _ -> object(line(event));
          case AliasEvent alias -> repeated(alias);
          default -> throw new IllegalStateException("no value begins with " + event);
        };
    if (event instanceof NodeEvent node && !(event instanceof AliasEvent)) {
      node.getAnchor()
          .ifPresent(
              anchor -> anchors.put(anchor.getValue(), new Anchored(value, values - before)));
    }
    depth--;
    return value;
  }

  private JsonNode scalar(ScalarEvent scalar) {
    try {
      var value = YamlScalars.read(scalar);
      if (!value.isTextual() && !scalar.getValue().isEmpty()) {
        spelled(
            scalar, value.isBigDecimal() ? value.decimalValue().toPlainString() : value.asText());
      }
      return value;
    } catch (IllegalArgumentException e) {
      fault(scalar, String.valueOf(e.getMessage()));
      return JSON.nullNode();
    }
  }

  private void spelled(ScalarEvent scalar, String meaning) {
    var text = scalar.getValue();
    if (!text.equals(meaning) && depth < MAX_SPELLING_DEPTH && spellings.size() < MAX_SPELLINGS) {
      spellings.add(new Spelling(JsonPointer.empty(), line(scalar), text, meaning));
    }
  }

  private ArrayNode list() {
    var list = JSON.arrayNode();
    for (var event = events.next(); !(event instanceof SequenceEndEvent); event = events.next()) {
      var before = spellings.size();
      list.add(value(event));
      place(before, String.valueOf(list.size() - 1));
    }
    return list;
  }

  private ObjectNode object(int line) {
    var object = JSON.objectNode();
    var fields = new HashMap<String, Integer>();
    var merged = new HashSet<String>();
    var firstSpelling = spellings.size();
    var firstFault = faults.size();
    for (var key = events.next(); !(key instanceof MappingEndEvent); key = events.next()) {
      var before = spellings.size();
      var name = name(key);
      var next = events.next();
      if (endsInColon(key, next)) {
        fault(key, "has %s: without a blank, which kubectl reads as a text".formatted(name));
      }
      var value = value(next);
      if (isMerge(key)) {
        merge(key, value, object, merged);
        continue;
      }
      place(before, name);
      fields.put(name, line(key));
      if (object.replace(name, value) != null && !merged.remove(name)) {
        fault(key, "has %s twice".formatted(name));
      }
    }
    // Only for values that may be objects of their own.
    if (depth == 1 || object.has("kind") || object.has("metadata")) {
      places.put(
          object,
          new Place(
              line,
              fields,
              List.copyOf(spellings.subList(firstSpelling, spellings.size())),
              List.copyOf(faults.subList(firstFault, faults.size()))));
    }
    return object;
  }

  /** Checks for {@code [fd00::]}, by YAML 1.2 a mapping; kubectl's library is older. */
  private static boolean endsInColon(Event key, Event value) {
    var end = key.getEndMark().orElse(null);
    if (!(key instanceof ScalarEvent name && value instanceof ScalarEvent scalar)
        || !name.isPlain()
        || !scalar.isPlain()
        || !scalar.getValue().isEmpty()
        || end == null
        || end.getPointer() + 1 >= end.getBuffer().length) {
      return false;
    }
    return end.getBuffer()[end.getPointer()] == ':'
        && ",]}".indexOf(end.getBuffer()[end.getPointer() + 1]) >= 0;
  }

  private String name(Event key) {
    if (key instanceof ScalarEvent scalar) {
      try {
        var name = YamlScalars.name(scalar);
        spelled(scalar, name);
        return name;
      } catch (IllegalArgumentException e) {
        fault(key, String.valueOf(e.getMessage()));
        return scalar.getValue();
      }
    }
    var name = value(key);
    if (!name.isTextual()) {
      fault(key, "has a key that is no text");
    }
    return name.asText();
  }

  /** Returns a copy, because objects may be changed later. */
  private JsonNode repeated(AliasEvent alias) {
    var anchored = anchors.get(alias.getAlias().getValue());
    if (anchored == null) {
      fault(alias, "has an alias of nothing before it");
      return JSON.nullNode();
    }
    if (anchored.size() > MAX_REPEATED - repeated) {
      fault(alias, "has aliases of more than %,d values".formatted(MAX_REPEATED));
      return JSON.nullNode();
    }
    repeated += anchored.size();
    values += anchored.size();
    return anchored.value().deepCopy();
  }

  private static boolean isMerge(Event key) {
    return key instanceof ScalarEvent scalar
        && scalar.isPlain()
        && scalar.getTag().isEmpty()
        && scalar.getValue().equals("<<");
  }

  /** Merges as kubectl does: of several, the first wins, and all win over the fields above. */
  private void merge(Event key, JsonNode value, ObjectNode object, Set<String> merged) {
    var sources = new ArrayList<JsonNode>();
    (value.isArray() ? value : List.of(value)).forEach(sources::addFirst);
    for (var source : sources) {
      if (!source.isObject()) {
        fault(key, "merges (<<) a value that is no object");
      }
      for (var field : source.properties()) {
        object.set(field.getKey(), field.getValue());
        merged.add(field.getKey());
      }
    }
  }

  /** Prefixes the places of the spellings since then by a field or an index. */
  private void place(int first, String segment) {
    for (var at = first; at < spellings.size(); at++) {
      spellings.set(at, spellings.get(at).within(segment));
    }
  }

  private void fault(Event at, String message) {
    faults.add(new Problem(file, line(at), message));
  }
}
