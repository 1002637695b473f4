package dev.shipshape.audit;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The timeline as one HTML page that needs no network: {@code timeline.html} with the requests as
 * JSON inside. The page is ASCII, and no text of an event can open or close an element.
 */
final class HtmlPage {
  /** Limits that keep a page small enough for a browser; the page reports what it leaves out. */
  record Limits(int requests, int bodyCharacters) {}

  /** A request with the texts of its bodies; {@code [length]} for one that is left out. */
  private record Row(
      @JsonUnwrapped AuditEvent event, @Nullable Object request, @Nullable Object response) {}

  /** A race with the indices of its requests; -1 for one that is left out. */
  private record Finding(
      Race.Kind kind, String object, String actors, String summary, List<Integer> evidence) {}

  /** About 1 KB each without bodies. */
  private static final Limits DEFAULTS = new Limits(100_000, 32 << 20);

  private static final String DATA = "@data@";
  private static final ObjectWriter JSON =
      Json.MAPPER.writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

  private final Writer page;
  private final Limits limits;
  private final Map<AuditEvent, Integer> evidence = new HashMap<>();
  private int bodyCharacters;
  private int bodiesLeftOut;

  private HtmlPage(Writer page, Limits limits) {
    this.page = page;
    this.limits = limits;
  }

  /**
   * Writes the page and leaves the stream open. It embeds at most 100,000 requests and 32 Mi
   * characters of all bodies.
   *
   * @param requests ordered by {@link AuditEvent#received()}; read once, none is kept
   * @param races their evidence is linked to the requests
   * @throws IOException if the stream cannot be written
   */
  static void write(OutputStream out, Chronology.Requests requests, List<Race> races)
      throws IOException {
    write(out, requests, races, DEFAULTS);
  }

  static void write(OutputStream out, Chronology.Requests requests, List<Race> races, Limits limits)
      throws IOException {
    var template = template();
    int data = template.indexOf(DATA);
    var page = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.US_ASCII));
    page.write(template.substring(0, data));
    new HtmlPage(page, limits).writeData(requests, races);
    page.write(template.substring(data + DATA.length()));
    page.flush();
  }

  private static String template() throws IOException {
    try (var in = HtmlPage.class.getResourceAsStream("timeline.html")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private void writeData(Chronology.Requests requests, List<Race> races) throws IOException {
    for (var race : races) {
      race.evidence().forEach(event -> evidence.put(event, -1));
    }
    page.write("{\"requests\":[");
    int total = 0;
    for (var request = requests.next(); request != null; request = requests.next()) {
      if (total < limits.requests()) {
        evidence.replace(request.event(), total);
        page.write(total == 0 ? "" : ",");
        writeJson(new Row(request.event(), kept(request.request()), kept(request.response())));
      }
      total++;
    }
    page.write("],\"races\":");
    writeJson(races.stream().map(this::finding).toList());
    page.write(",\"total\":" + total);
    page.write(",\"bodyLimit\":" + limits.bodyCharacters());
    page.write(",\"bodiesLeftOut\":" + bodiesLeftOut + "}");
  }

  /** Escapes {@code <}, so that no text ends the script element or opens a comment. */
  private void writeJson(Object value) throws IOException {
    page.write(JSON.writeValueAsString(value).replace("<", "\\u003c"));
  }

  private @Nullable Object kept(@Nullable String body) {
    if (body != null && body.length() > limits.bodyCharacters() - bodyCharacters) {
      bodiesLeftOut++;
      return List.of(body.length());
    }
    bodyCharacters += body == null ? 0 : body.length();
    return body;
  }

  private Finding finding(Race race) {
    return new Finding(
        race.kind(),
        race.object().path(),
        String.join(", ", race.actors()),
        race.summary(),
        race.evidence().stream().map(event -> evidence.getOrDefault(event, -1)).toList());
  }
}
