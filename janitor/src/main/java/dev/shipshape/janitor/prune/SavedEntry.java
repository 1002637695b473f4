package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.prune.Plan.Entry;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.janitor.session.Times;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A plan's entry as JSON: the session exactly as it was seen, and why it may go. */
final class SavedEntry {
  private final JsonNode node;

  private SavedEntry(JsonNode node) {
    this.node = node;
  }

  static ObjectNode write(Entry entry) {
    var session = entry.session();
    var node = JsonNodeFactory.instance.objectNode();
    node.put("namespace", session.namespace()).put("name", session.name());
    node.put("uid", session.uid()).put("resourceVersion", session.resourceVersion());
    node.put("rule", entry.verdict().rule().name());
    node.put("since", entry.verdict().since().toString());
    node.put("age", entry.verdict().age().toString());
    node.put("state", session.state()).put("job", session.job());
    node.put("created", written(session.times().created()));
    node.put("started", written(session.times().started()));
    node.put("completed", written(session.times().completed()));
    node.put("written", written(session.times().written()));
    var marks = node.putArray("marks");
    session.marks().stream().sorted().forEach(mark -> marks.add(mark.name()));
    return node;
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException naming the field that is missing or wrong
   */
  static Entry read(JsonNode node) {
    var saved = new SavedEntry(node);
    return new Entry(saved.session(), saved.verdict());
  }

  private Session session() {
    return new Session(
        required("namespace"),
        required("name"),
        text("uid"),
        text("resourceVersion"),
        required("state"),
        new Times(time("created"), time("started"), time("completed"), time("written")),
        text("job"),
        marks());
  }

  private Verdict.Prune verdict() {
    return new Verdict.Prune(
        parsed("rule", Verdict.Rule::valueOf),
        parsed("since", Instant::parse),
        parsed("age", Duration::parse));
  }

  private Set<Mark> marks() {
    var marks = EnumSet.noneOf(Mark.class);
    for (var mark : node.path("marks")) {
      marks.add(parse("marks", mark.asText(), Mark::valueOf));
    }
    return marks;
  }

  private @Nullable Instant time(String field) {
    return text(field) == null ? null : parsed(field, Instant::parse);
  }

  private <T> T parsed(String field, Function<String, T> parse) {
    return parse(field, required(field), parse);
  }

  private static <T> T parse(String field, String text, Function<String, T> parse) {
    try {
      return parse.apply(text);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new IllegalArgumentException("%s: wrong: \"%s\"".formatted(field, text), e);
    }
  }

  private String required(String field) {
    var text = text(field);
    if (text == null) {
      throw new IllegalArgumentException(field + ": is required");
    }
    return text;
  }

  private @Nullable String text(String field) {
    var text = node.path(field).asText("");
    return text.isEmpty() || node.path(field).isNull() ? null : text;
  }

  private static @Nullable String written(@Nullable Instant time) {
    return time == null ? null : Objects.toString(time);
  }
}
