package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.janitor.pace.StopSignal;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A list read page by page, and each page object by object as it arrives, so that memory does not
 * grow with the list.
 */
public final class ListPages {
  /** Objects that carry nothing but their metadata. */
  public static final String METADATA =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  /** Watched objects that carry nothing but their metadata. */
  public static final String METADATA_WATCH =
      "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

  /** Objects in full. */
  public static final String FULL = "application/json";

  private static final int PAGE = 500;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final KubernetesApi api;
  private final Supplier<Patience> patience;

  /** Lists that fail where one page does. */
  public ListPages(KubernetesApi api) {
    this(api, Patience::none);
  }

  /** Lists that wait where they are asked to, and end between two pages when told to stop. */
  public ListPages(KubernetesApi api, StopSignal stop) {
    this(api, () -> new Patience(stop));
  }

  private ListPages(KubernetesApi api, Supplier<Patience> patience) {
    this.api = api;
    this.patience = patience;
  }

  /** Takes a list's objects as they arrive. */
  @FunctionalInterface
  public interface Reader {
    /** The first page's head, before any object. */
    default void begin(Answer head) {}

    void each(JsonNode object);
  }

  /**
   * What a whole list told beside its objects.
   *
   * @param resourceVersion where a watch goes on from
   */
  public record End(String resourceVersion) {}

  private record Page(String next, String resourceVersion) {}

  /**
   * That a list gets on: something between us and the API server that forgets the query would have
   * its first page read for ever.
   */
  private static final class Course {
    private final String path;
    private final Set<String> tokens = new HashSet<>();
    private final Set<String> firsts = new HashSet<>();

    Course(String path) {
      this.path = path;
    }

    void begins(JsonNode first) {
      var metadata = first.path("metadata");
      var name = metadata.path("namespace").asText() + "/" + metadata.path("name").asText();
      require(firsts.add(name), "a page that begins with %s again".formatted(name));
    }

    void goesOn(String token) {
      require(token.isEmpty() || tokens.add(token), "the same continue token again");
    }

    private void require(boolean isNew, String otherwise) {
      if (!isNew) {
        throw ApiFailure.unsuitable(
            "GET %s was answered with %s: the list would never end; does something between us and the API server drop the query?"
                .formatted(path, otherwise));
      }
    }
  }

  /**
   * Reads a list from its first page to its last.
   *
   * @param path with or without a query
   * @param accept {@link #FULL} or {@link #METADATA}
   * @throws ApiFailure as {@link KubernetesApi#stream}; with code 410 where the list grew too old
   *     while it was read: what was seen of it is void then. Also where a page is the same again,
   *     or when told to stop
   */
  public End read(String path, String accept, Reader reader) {
    var first = path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE;
    var course = new Course(first);
    var waiting = patience.get();
    var page =
        waiting.with(
            () ->
                api.stream(
                    first,
                    accept,
                    (head, body) -> {
                      reader.begin(head);
                      return parse(body, course, reader);
                    }));
    while (!page.next().isEmpty()) {
      waiting.requireGoingOn();
      var next = first + "&continue=" + URLEncoder.encode(page.next(), StandardCharsets.UTF_8);
      page = waiting.with(() -> api.stream(next, accept, (_, body) -> parse(body, course, reader)));
    }
    return new End(page.resourceVersion());
  }

  private static Page parse(InputStream body, Course course, Reader reader) throws IOException {
    var next = "";
    var resourceVersion = "";
    var listed = false;
    try (var parser = MAPPER.createParser(body)) {
      expect(parser, JsonToken.START_OBJECT);
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        var field = parser.currentName();
        parser.nextToken();
        switch (field) {
          case "metadata" -> {
            JsonNode metadata = parser.readValueAsTree();
            next = metadata.path("continue").asText("");
            resourceVersion = metadata.path("resourceVersion").asText("");
          }
          case "items" -> {
            items(parser, course, reader);
            listed = true;
          }
          default -> parser.skipChildren();
        }
      }
      // A list that was cut off must not pass for a short one.
      if (parser.currentToken() != JsonToken.END_OBJECT) {
        throw new IOException("the list ends before its end");
      }
      if (!listed) {
        throw new IOException("the answer has no items, so it is no list, not even an empty one");
      }
    }
    course.goesOn(next);
    return new Page(next, resourceVersion);
  }

  private static void items(JsonParser parser, Course course, Reader reader) throws IOException {
    if (parser.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw new IOException("the answer's items are no list");
    }
    for (var first = true; parser.nextToken() != JsonToken.END_ARRAY; first = false) {
      JsonNode object = parser.readValueAsTree();
      if (first) {
        course.begins(object);
      }
      reader.each(object);
    }
  }

  private static void expect(JsonParser parser, JsonToken token) throws IOException {
    if (parser.nextToken() != token) {
      throw new IOException("not a JSON list");
    }
  }
}
