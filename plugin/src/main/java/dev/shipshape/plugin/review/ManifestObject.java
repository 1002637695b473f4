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
 * @param file as it was named; - for standard input
 * @param source the template that helm template made it from; empty if it does not say so
 * @param place where it is, and what of it the tree does not say
 * @param places of the objects of its document, by identity
 */
public record ManifestObject(
    String file,
    String source,
    ObjectNode json,
    Place place,
    IdentityHashMap<ObjectNode, Place> places) {
  /**
   * Where an object is.
   *
   * @param line where it begins, from 1
   * @param fields the lines of its own fields
   * @param spellings within it, with places within it
   * @param faults within it: what cannot be read
   */
  record Place(
      int line, Map<String, Integer> fields, List<Spelling> spellings, List<Problem> faults) {
    Place(int line) {
      this(line, Map.of(), List.of(), List.of());
    }
  }

  /**
   * A scalar or a field's name whose meaning is not its text.
   *
   * @param field where it is in the object
   * @param line from 1
   */
  public record Spelling(JsonPointer field, int line, String text, String meaning) {
    Spelling within(String segment) {
      return new Spelling(
          JsonPointer.empty().appendProperty(segment).append(field), line, text, meaning);
    }
  }

  /** The line where it begins, from 1. */
  public int line() {
    return place.line();
  }

  /** The line of a field of its own, or of the object if it has none such. */
  int line(String field) {
    return place.fields().getOrDefault(field, place.line());
  }

  /** What is written in it otherwise than it is meant. */
  public List<Spelling> spellings() {
    return place.spellings();
  }

  /** Kind, namespace and name, for people. */
  public String name() {
    var namespace = text("/metadata/namespace");
    var name = text("/metadata/name");
    return Text.printableLine(
        "%s %s%s"
            .formatted(
                text("/kind"),
                namespace.isEmpty() ? "" : namespace + "/",
                name.isEmpty() ? "?" : name));
  }

  /** A problem of this object, at its line. */
  public Problem problem(String why) {
    return new Problem(file, line(), "%s: %s".formatted(name(), why));
  }

  /** The text at a place; empty if there is none. */
  public String text(String pointer) {
    return json.at(pointer).asText("");
  }

  /** The object at a place within, such as an item of a list; empty if there is none. */
  Optional<ManifestObject> within(String pointer) {
    return json.at(pointer) instanceof ObjectNode object
        ? Optional.of(
            new ManifestObject(
                file, source, object, places.getOrDefault(object, new Place(line())), places))
        : Optional.empty();
  }
}
