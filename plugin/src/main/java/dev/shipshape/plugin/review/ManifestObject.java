package dev.shipshape.plugin.review;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.audit.Text;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An object of a file.
 *
 * @param file as the user typed it; - for standard input
 * @param source the template that helm template rendered it from; empty if unknown
 * @param place where it is
 * @param places of the objects of its document, by identity
 */
public record ManifestObject(
    String file,
    String source,
    ObjectNode json,
    Place place,
    IdentityHashMap<ObjectNode, Place> places) {
  /**
   * Where an object is, and what is not in its tree.
   *
   * @param line of its beginning, from 1
   * @param fields the lines of its own fields
   * @param spellings within it, with places relative to it
   * @param faults within it: what cannot be read
   */
  record Place(
      int line, Map<String, Integer> fields, List<Spelling> spellings, List<Problem> faults) {
    Place(int line) {
      this(line, Map.of(), List.of(), List.of());
    }
  }

  /**
   * A scalar or a field's name whose value differs from its text.
   *
   * @param field its place in the object
   * @param line from 1
   */
  public record Spelling(JsonPointer field, int line, String text, String meaning) {
    Spelling within(String segment) {
      return new Spelling(
          JsonPointer.empty().appendProperty(segment).append(field), line, text, meaning);
    }
  }

  public int line() {
    return place.line();
  }

  /** Returns the line of one of its own fields; of the object if it has no such field. */
  int line(String field) {
    return place.fields().getOrDefault(field, place.line());
  }

  /** Returns the values in it that differ from their text. */
  public List<Spelling> spellings() {
    return place.spellings();
  }

  /** Returns kind, namespace and name, for people. */
  public String name() {
    return Text.printableLine(Fields.name(json));
  }

  public Problem problem(String why) {
    return new Problem(file, line(), "%s: %s".formatted(name(), why));
  }

  /** Returns the text at a place; empty if there is none. */
  public String text(String pointer) {
    return json.at(pointer).asText("");
  }

  /** Returns the object at a place in it, such as an item of a list; empty if there is none. */
  Optional<ManifestObject> within(String pointer) {
    return json.at(pointer) instanceof ObjectNode object
        ? Optional.of(
            new ManifestObject(
                file, source, object, places.getOrDefault(object, new Place(line())), places))
        : Optional.empty();
  }
}
