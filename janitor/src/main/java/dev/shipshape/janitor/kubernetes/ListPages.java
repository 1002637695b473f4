package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A list read page by page, and each page object by object as it arrives, so that memory does not
 * grow with the list.
 */
public final class ListPages {
  private static final String JSON = "application/json";
  private static final int PAGE = 500;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final KubernetesApi api;

  public ListPages(KubernetesApi api) {
    this.api = api;
  }

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
   * @throws ApiFailure as {@link KubernetesApi#stream}; with code 410 where the list grew too old
   *     while it was read: what was seen of it is void then. Also where a page is the same again
   */
  public void read(String path, Consumer<JsonNode> each) {
    var first = path + (path.contains("?") ? "&" : "?") + "limit=" + PAGE;
    var course = new Course(first);
    var token = api.stream(first, JSON, (_, body) -> parse(body, course, each));
    while (!token.isEmpty()) {
      var next = first + "&continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8);
      token = api.stream(next, JSON, (_, body) -> parse(body, course, each));
    }
  }

  /** Returns the token of the next page; empty where there is none. */
  private static String parse(InputStream body, Course course, Consumer<JsonNode> each)
      throws IOException {
    var next = "";
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
          }
          case "items" -> {
            items(parser, course, each);
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
    return next;
  }

  private static void items(JsonParser parser, Course course, Consumer<JsonNode> each)
      throws IOException {
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
      each.accept(object);
    }
  }

  private static void expect(JsonParser parser, JsonToken token) throws IOException {
    if (parser.nextToken() != token) {
      throw new IOException("not a JSON list");
    }
  }
}
