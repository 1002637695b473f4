package dev.shipshape.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.AbstractStringAssert;
import org.jspecify.annotations.Nullable;

/** Makes audit logs as an API server writes them, one request a second after the other. */
final class Requests {
  private static final long START = Times.parse("2026-11-23T04:00:00Z");
  private static final long SECOND = 1_000_000;

  private final List<ObjectNode> events = new ArrayList<>();

  /** A request that is answered 1.5 ms after it came. */
  Requests request(String actor, String verb, String object, int code) {
    return request(actor, verb, object, code, null, null);
  }

  /** A write that succeeds, with the response's body alone. */
  Requests wrote(String actor, String verb, String object, String response) {
    return request(actor, verb, object, verb.equals("create") ? 201 : 200, null, response);
  }

  /**
   * A request with bodies.
   *
   * @param object RESOURCE[.GROUP]/NAMESPACE/NAME[/SUBRESOURCE]
   */
  Requests request(
      String actor,
      String verb,
      String object,
      int code,
      @Nullable String request,
      @Nullable String response) {
    var received = START + events.size() * SECOND;
    var event = JsonNodeFactory.instance.objectNode();
    event.put("kind", "Event").put("apiVersion", "audit.k8s.io/v1");
    event.put("level", request == null && response == null ? "Metadata" : "RequestResponse");
    event.put("auditID", "id-" + events.size()).put("stage", "ResponseComplete");
    var parts = object.split("/", -1);
    event.put("requestURI", "/" + object).put("verb", verb);
    event.putObject("user").put("username", actor);
    event.put("userAgent", "test/1.0");
    var reference = event.putObject("objectRef");
    var dot = parts[0].indexOf('.');
    reference.put("resource", dot < 0 ? parts[0] : parts[0].substring(0, dot));
    reference.put("namespace", parts[1]).put("name", parts[2]);
    reference.put("apiGroup", dot < 0 ? "" : parts[0].substring(dot + 1));
    if (parts.length > 3) {
      reference.put("subresource", parts[3]);
    }
    event.putObject("responseStatus").put("code", code);
    put(event, "requestObject", request);
    put(event, "responseObject", response);
    event.put("requestReceivedTimestamp", Times.format(received));
    event.put("stageTimestamp", Times.format(received + 1500));
    events.add(event);
    return this;
  }

  private static void put(ObjectNode event, String field, @Nullable String body) {
    if (body != null) {
      event.set(field, Json.tree(body));
    }
  }

  /** The event that was added last. */
  ObjectNode last() {
    return events.getLast();
  }

  List<String> lines() {
    return events.stream().map(JsonNode::toString).toList();
  }

  Path write(Path file) throws IOException {
    return Files.write(file, lines());
  }

  /** Lets through what is about an object. */
  static EventFilter about(String object) {
    return about(object, List.of());
  }

  static EventFilter about(String object, List<TextPattern> actors) {
    return new EventFilter(
        List.of(ObjectPattern.parse(object)),
        Set.of(),
        actors,
        Set.of(),
        List.of(),
        List.of(),
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        false);
  }

  static Chronology.Logs logs(Path... logs) {
    return logs("", Arrays.stream(logs).map(Path::toString).toArray(String[]::new));
  }

  static Chronology.Logs logs(String standardInput, String... logs) {
    return new Chronology.Logs(
        List.of(logs),
        new ByteArrayInputStream(standardInput.getBytes(StandardCharsets.UTF_8)),
        Path.of(System.getProperty("java.io.tmpdir")));
  }

  /** A timeline's text. */
  static String timeline(Chronology.Logs logs, EventFilter filter, Timeline.Form form)
      throws IOException {
    var out = new ByteArrayOutputStream();
    Timeline.write(logs, filter, false, form, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  /** What was read, and the audit ids in their order. */
  static List<String> auditIds(Chronology.Logs logs) throws IOException {
    try (var chronology = Chronology.read(logs, EventFilter.ALL, RawEvent.Detail.HEAD)) {
      return all(chronology).stream().map(each -> each.event().auditId()).toList();
    }
  }

  static List<LoggedRequest> all(Chronology chronology) throws IOException {
    var all = new ArrayList<LoggedRequest>();
    var requests = chronology.requests();
    for (var next = requests.next(); next != null; next = requests.next()) {
      all.add(next);
    }
    return all;
  }

  /** The requests with their bodies. */
  static List<LoggedRequest> read(Path log) throws IOException {
    try (var chronology = Chronology.read(logs(log), EventFilter.ALL, RawEvent.Detail.BODIES)) {
      return all(chronology);
    }
  }

  /** What is reported of a log. */
  static AbstractStringAssert<?> assertThatReport(Path log) throws IOException {
    return assertThat(report(logs(log)).logs()).singleElement().asString();
  }

  static ReadReport report(Chronology.Logs logs) throws IOException {
    try (var chronology = Chronology.read(logs, EventFilter.ALL, RawEvent.Detail.HEAD)) {
      return chronology.report();
    }
  }
}
