package dev.shipshape.audit;

import java.util.Arrays;
import java.util.List;

/**
 * A pattern for objects: {@code RESOURCE/NAME}, {@code RESOURCE/NAMESPACE/NAME} or {@code
 * RESOURCE/NAMESPACE/NAME/SUBRESOURCE}, with the plural or {@code PLURAL.GROUP} as resource. {@code
 * *} matches any characters. A part that is left out matches everything. It remembers whether it
 * has matched, so each run needs its own.
 */
public final class ObjectPattern {
  private final TextPattern resource;
  private final TextPattern group;
  private final TextPattern namespace;
  private final TextPattern name;
  private final TextPattern subresource;
  private final String text;
  private volatile boolean matched;

  private ObjectPattern(String text, List<String> parts) {
    this.text = text;
    var dot = parts.getFirst().indexOf('.');
    resource = TextPattern.of(dot < 0 ? parts.getFirst() : parts.getFirst().substring(0, dot));
    group = TextPattern.of(dot < 0 ? "*" : parts.getFirst().substring(dot + 1));
    namespace = TextPattern.of(parts.size() > 2 ? parts.get(1) : "*");
    name = TextPattern.of(parts.size() > 2 ? parts.get(2) : parts.get(1));
    subresource = TextPattern.of(parts.size() > 3 ? parts.get(3) : "*");
  }

  /**
   * Reads a pattern.
   *
   * @throws IllegalArgumentException if it has not two to four parts
   */
  public static ObjectPattern parse(String text) {
    var parts = Arrays.asList(text.split("/", -1));
    if (parts.size() < 2 || parts.size() > 4 || parts.contains("")) {
      throw new IllegalArgumentException(
          "'%s' is no RESOURCE/NAME, RESOURCE/NAMESPACE/NAME or RESOURCE/NAMESPACE/NAME/SUBRESOURCE"
              .formatted(text));
    }
    return new ObjectPattern(text, parts);
  }

  boolean matches(RawEvent request) {
    var fits = fits(request);
    // Written once only: other threads read it for each event.
    if (fits && !matched) {
      matched = true;
    }
    return fits;
  }

  public boolean hasMatched() {
    return matched;
  }

  private boolean fits(RawEvent request) {
    return resource.matches(request.text(Field.RESOURCE))
        && group.matches(request.text(Field.GROUP))
        && name.matches(request.name())
        && namespace.matches(request.namespace())
        && subresource.matches(request.text(Field.SUBRESOURCE));
  }

  @Override
  public String toString() {
    return text;
  }
}
