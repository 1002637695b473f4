package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.prune.Plan.Entry;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Times;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A plan as it was saved: which sessions, each exactly as it was seen.
 *
 * @param namespace where the sessions are
 * @param at the server's time that ages were reckoned by
 */
public record PlanFile(String namespace, Instant at, List<Entry> entries) {
  private static final String API_VERSION = "shipshape.dev/v1";
  private static final String KIND = "PrunePlan";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public PlanFile {
    entries = List.copyOf(entries);
  }

  /** What to save of a plan. */
  public static PlanFile of(String namespace, Plan plan) {
    return new PlanFile(namespace, plan.at(), plan.entries());
  }

  /** Writes the file whole or not at all. */
  public void write(Path file) throws IOException {
    var plan = JsonNodeFactory.instance.objectNode();
    plan.put("apiVersion", API_VERSION).put("kind", KIND);
    plan.put("namespace", namespace).put("at", at.toString());
    var list = plan.putArray("entries");
    entries.forEach(entry -> write(entry, list.addObject()));
    var text = MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(plan) + "\n";
    var whole = file.toAbsolutePath();
    var part = Files.createTempFile(whole.getParent(), whole.getFileName().toString(), ".part");
    Files.writeString(part, text);
    Files.move(part, whole, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Reads a file.
   *
   * @throws IOException where it cannot be read
   * @throws IllegalArgumentException where it is no plan; the message names file and field
   */
  public static PlanFile read(Path file) throws IOException {
    final JsonNode plan;
    try {
      plan = MAPPER.readTree(Files.readString(file));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "%s:%d: not JSON: %s"
              .formatted(file, e.getLocation().getLineNr(), e.getOriginalMessage()),
          e);
    }
    if (!plan.path("apiVersion").asText().equals(API_VERSION)
        || !plan.path("kind").asText().equals(KIND)) {
      throw new IllegalArgumentException(
          "%s: not a plan: apiVersion must be %s and kind %s".formatted(file, API_VERSION, KIND));
    }
    var namespace = required(file, "namespace", plan, "namespace");
    var entries = new ArrayList<Entry>();
    for (var entry : plan.path("entries")) {
      entries.add(entry(file, "entries[" + entries.size() + "].", namespace, entry));
    }
    return new PlanFile(namespace, time(file, "at", plan, "at"), entries);
  }

  private static void write(Entry entry, ObjectNode node) {
    var session = entry.session();
    node.put("name", session.name());
    node.put("uid", session.uid()).put("resourceVersion", session.resourceVersion());
    node.put("rule", entry.verdict().rule().name());
    node.put("since", entry.verdict().since().toString());
    node.put("age", entry.verdict().age().toString());
    node.put("state", session.state()).put("job", session.job());
    var started = session.times().started();
    node.put("started", started == null ? null : started.toString());
  }

  private static Entry entry(Path file, String place, String namespace, JsonNode node) {
    var started = node.path("started").asText("");
    var since = time(file, place + "since", node, "since");
    var session =
        new Session(
            namespace,
            required(file, place + "name", node, "name"),
            text(node, "uid"),
            text(node, "resourceVersion"),
            required(file, place + "state", node, "state"),
            new Times(
                null,
                started.isEmpty() ? null : time(file, place + "started", node, "started"),
                null),
            text(node, "job"),
            Set.of());
    try {
      var rule = Verdict.Rule.valueOf(required(file, place + "rule", node, "rule"));
      var age = Duration.parse(required(file, place + "age", node, "age"));
      return new Entry(session, new Verdict.Prune(rule, since, age));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IllegalArgumentException(
          "%s: %s: wrong rule or age: %s".formatted(file, place, e.getMessage()), e);
    }
  }

  private static Instant time(Path file, String place, JsonNode node, String field) {
    try {
      return Instant.parse(required(file, place, node, field));
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "%s: %s: not a time: %s".formatted(file, place, node.path(field).asText()), e);
    }
  }

  private static String required(Path file, String place, JsonNode node, String field) {
    var text = text(node, field);
    if (text == null) {
      throw new IllegalArgumentException("%s: %s: must be given".formatted(file, place));
    }
    return text;
  }

  private static @Nullable String text(JsonNode node, String field) {
    var text = node.path(field).asText("");
    return text.isEmpty() ? null : text;
  }
}
