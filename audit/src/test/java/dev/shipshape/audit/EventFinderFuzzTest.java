package dev.shipshape.audit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** Anything between two lines of a log. */
class EventFinderFuzzTest {
  private static final List<String> EVENTS =
      new Requests()
          .request("a", "get", "pods/shop/web-0", 200)
          .request("b", "update", "configmaps/shop/x", 409, "{\"a\":[1,{}]}", "{\"b\":\"}\"}")
          .lines();

  /** What a reader finds. */
  private record Found(List<LoggedRequest> events, ReadReport.Log report) {}

  @FuzzTest
  void aLineIsFoundWhateverIsBeforeIt(byte[] before) throws IOException {
    if (new String(before, ISO_8859_1)
        .lines()
        .anyMatch(line -> line.strip().endsWith("protoPayload:"))) {
      // YAML of gcloud is not read any further; a record may begin within a line.
      return;
    }
    var log = new ByteArrayOutputStream();
    log.writeBytes((EVENTS.getFirst() + "\n").getBytes(UTF_8));
    log.writeBytes(before);
    log.writeBytes(("\n" + EVENTS.getLast() + "\n").getBytes(UTF_8));

    var found = read(new ByteArrayInputStream(log.toByteArray()));

    var ids = found.events().stream().map(each -> each.event().auditId()).toList();
    assertThat(ids).startsWith("id-0");
    if (!mayCarry(before)) {
      assertThat(ids).endsWith("id-1");
    }
    assertThat(found.report().events()).isEqualTo(ids.size());
    assertThat(found.report().lines())
        .isEqualTo(
            new String(log.toByteArray(), ISO_8859_1).chars().filter(c -> c == '\n').count());
    assertThat(read(byteByByte(log.toByteArray()))).isEqualTo(found);
    for (var form : List.of(Timeline.Form.WIDE, Timeline.Form.CSV, Timeline.Form.JSON)) {
      var rows = new TimelineRows(form, false, OutputStream.nullOutputStream());
      for (var event : found.events()) {
        rows.add(event);
      }
      rows.end();
    }
  }

  /**
   * Whether the next line may be the body of an event over several lines, which is no event; or the
   * value of a member, the beginning of whose object is lost.
   */
  private static boolean mayCarry(byte[] before) {
    var text = new String(before, ISO_8859_1);
    return text.contains("\n")
        && (text.contains("\"requestObject\"")
            || text.contains("\"responseObject\"")
            || text.matches("(?s).*\":\\s*[\\[{]\\s*"));
  }

  /** As the commands do, with all that they make of an event. */
  private static Found read(InputStream log) throws IOException {
    var codec = new EventCodec(RawEvent.Detail.BODIES, EventCodec.Order.VERSION);
    var events = new ArrayList<LoggedRequest>();
    var finder =
        new EventFinder(
            log,
            "log",
            line -> {
              assertThat(EventFilter.ALL.matches(line)).isTrue();
              assertThat(line.json().isEmpty()).isFalse();
              events.add(codec.decode(codec.encode(line, true)));
            });
    return new Found(events, finder.read());
  }

  private static InputStream byteByByte(byte[] log) {
    return new ByteArrayInputStream(log) {
      @Override
      public synchronized int read(byte[] bytes, int offset, int length) {
        return super.read(bytes, offset, Math.min(length, 1));
      }
    };
  }
}
