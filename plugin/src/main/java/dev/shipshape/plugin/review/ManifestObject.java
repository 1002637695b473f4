package dev.shipshape.plugin.review;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** An object of a file. */
public final class ManifestObject {
  private final String file;
  private final String source;
  private final ObjectNode json;
  private final IdentityHashMap<ObjectNode, DocumentReader.Place> places;
  private final DocumentReader.Place place;

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

  /**
   * @param file as it was named; - for standard input
   * @param source the template that it was made from, if helm template says so; else empty
   * @param places of the objects of the document, by identity
   * @param line of what it is in
   */
  ManifestObject(
      String file,
      String source,
      ObjectNode json,
      IdentityHashMap<ObjectNode, DocumentReader.Place> places,
      int line) {
    this.file = file;
    this.source = source;
    this.json = json;
    this.places = places;
    this.place =
        places.getOrDefault(json, new DocumentReader.Place(line, Map.of(), List.of(), List.of()));
  }

  /** As it was named; - for standard input. */
  public String file() {
    return file;
  }

  /** The template that it was made from, if helm template says so; else empty. */
  String source() {
    return source;
  }

  public ObjectNode json() {
    return json;
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

  /** What of it cannot be read. */
  List<Problem> faults() {
    return place.faults();
  }

  /** Kind, namespace and name, for people. */
  public String name() {
    var namespace = text("/metadata/namespace");
    var name = text("/metadata/name");
    return Fields.printable(
        "%s %s%s"
            .formatted(
                text("/kind"),
                namespace.isEmpty() ? "" : namespace + "/",
                name.isEmpty() ? "?" : name));
  }

  /** The text at a place; empty if there is none. */
  public String text(String pointer) {
    return json.at(pointer).asText("");
  }

  /** The object at a place within, such as an item of a list; empty if there is none. */
  Optional<ManifestObject> within(String pointer) {
    return json.at(pointer) instanceof ObjectNode object
        ? Optional.of(new ManifestObject(file, source, object, places, line()))
        : Optional.empty();
  }
}
