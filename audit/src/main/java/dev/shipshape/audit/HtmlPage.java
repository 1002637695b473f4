package dev.shipshape.audit;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The timeline as one HTML page that needs no network: {@code timeline.html} with the requests as
 * JSON inside. The page is ASCII, and no text of an event can open or close an element.
 */
final class HtmlPage {
  /** Limits that keep a page small enough for a browser; the page reports what it leaves out. */
  record Limits(int requests, int bodyCharacters) {}

  private static final Limits DEFAULTS = new Limits(200_000, 32 << 20);
  private static final String DATA = "@data@";
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build();

  private final JsonGenerator json;
  private final Limits limits;
  private final Map<String, Integer> strings = new LinkedHashMap<>();
  private final Map<AuditEvent, Integer> evidence = new HashMap<>();
  private int bodyCharacters;
  private int bodiesLeftOut;

  private HtmlPage(JsonGenerator json, Limits limits) {
    this.json = json;
    this.limits = limits;
  }

  /**
   * Writes the page and leaves the stream open. It embeds at most 200,000 requests and 32 Mi
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
    out.write(template.substring(0, data).getBytes(StandardCharsets.US_ASCII));
    try (var json = JSON.createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.setCharacterEscapes(new NoMarkup());
      new HtmlPage(json, limits).writeData(requests, races);
    }
    out.write(template.substring(data + DATA.length()).getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  private static String template() throws IOException {
    try (var in = HtmlPage.class.getResourceAsStream("timeline.html")) {
      if (in == null) {
        throw new FileNotFoundException("timeline.html is missing in the jar of " + HtmlPage.class);
      }
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  private void writeData(Chronology.Requests requests, List<Race> races) throws IOException {
    for (var race : races) {
      race.evidence().forEach(event -> evidence.put(event, -1));
    }
    json.writeStartObject();
    json.writeArrayFieldStart("requests");
    int total = 0;
    for (var request = requests.next(); request != null; request = requests.next()) {
      if (total < limits.requests()) {
        evidence.replace(request.event(), total);
        writeRequest(request);
      }
      total++;
    }
    json.writeEndArray();
    json.writeArrayFieldStart("races");
    for (var race : races) {
      writeRace(race);
    }
    json.writeEndArray();
    json.writeFieldName("strings");
    json.writeArray(strings.keySet().toArray(String[]::new), 0, strings.size());
    json.writeNumberField("total", total);
    json.writeNumberField("bodyLimit", limits.bodyCharacters());
    json.writeNumberField("bodiesLeftOut", bodiesLeftOut);
    json.writeEndObject();
  }

  /** Writes the fields in the order in which {@code timeline.html} reads them. */
  private void writeRequest(LoggedRequest request) throws IOException {
    var event = request.event();
    var object = event.object();
    json.writeStartArray();
    json.writeNumber(event.received());
    json.writeNumber(event.staged());
    json.writeNumber(event.code());
    json.writeNumber(event.size());
    json.writeBoolean(event.truncated());
    for (var unique :
        List.of(
            event.auditId(),
            event.uri(),
            object.name(),
            event.uid(),
            event.version(),
            event.message())) {
      json.writeString(unique);
    }
    for (var repeated :
        List.of(
            event.stage().name(),
            event.level(),
            event.verb(),
            event.actor(),
            event.impersonator(),
            event.userAgent(),
            event.sourceIps(),
            event.source(),
            object.group(),
            object.resource(),
            object.subresource(),
            object.namespace())) {
      json.writeNumber(strings.computeIfAbsent(repeated, _ -> strings.size()));
    }
    writeBody(request.request());
    writeBody(request.response());
    json.writeEndArray();
  }

  /** Writes the text; {@code [length]} if it is left out. */
  private void writeBody(@Nullable String body) throws IOException {
    if (body == null) {
      json.writeNull();
      return;
    }
    if (body.length() > limits.bodyCharacters() - bodyCharacters) {
      bodiesLeftOut++;
      json.writeArray(new int[] {body.length()}, 0, 1);
      return;
    }
    bodyCharacters += body.length();
    json.writeString(body);
  }

  private void writeRace(Race race) throws IOException {
    var found = new ArrayList<Integer>();
    race.evidence().forEach(event -> found.add(evidence.getOrDefault(event, -1)));
    json.writeStartObject();
    json.writeStringField("kind", race.kind().name());
    json.writeStringField("object", race.object().path());
    json.writeStringField("actors", String.join(", ", race.actors()));
    json.writeStringField("summary", race.summary());
    json.writeFieldName("evidence");
    json.writeArray(found.stream().mapToInt(Integer::intValue).toArray(), 0, found.size());
    json.writeEndObject();
  }

  /** Escapes {@code <}, so that no text ends the script element or opens a comment. */
  private static final class NoMarkup extends CharacterEscapes {
    private static final long serialVersionUID = 1;
    private static final int[] ESCAPES = standardAsciiEscapesForJSON();

    static {
      ESCAPES['<'] = ESCAPE_STANDARD;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return ESCAPES;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int character) {
      return null;
    }
  }
}
