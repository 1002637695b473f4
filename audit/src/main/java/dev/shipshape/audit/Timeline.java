package dev.shipshape.audit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Writes the requests of several logs in one chronology. */
public final class Timeline {
  private Timeline() {}

  public enum Form {
    TABLE,
    /** With addresses, impersonation, message and URI. */
    WIDE,
    CSV,
    JSON,
    /** One page with bodies and races, for a browser. */
    HTML
  }

  /**
   * Writes one line for each request.
   *
   * @param bodies whether JSON has them; a page always has
   * @throws IOException if a log cannot be read or the output cannot be written
   */
  public static ReadReport write(
      Chronology.Logs logs, EventFilter filter, boolean bodies, Form form, OutputStream out)
      throws IOException {
    var html = form == Form.HTML;
    try (var chronology =
        Chronology.read(
            logs, filter, html || bodies ? RawEvent.Detail.BODIES : RawEvent.Detail.HEAD)) {
      if (html) {
        var result = Races.among(chronology, Races.CONTROL_PLANE);
        HtmlPage.write(out, chronology.requests(), result.races());
      } else {
        var events = chronology.requests();
        var rows = new TimelineRows(form, false, out);
        for (var event = events.next(); event != null; event = events.next()) {
          rows.add(event);
        }
        rows.end();
      }
      return chronology.report();
    }
  }

  /**
   * Writes requests as a log grows, also through its rotation, until standard input ends or the
   * thread is interrupted. In the log's order; each request once, when it is answered.
   *
   * @param unread receives the first record that cannot be read, because there may be no final
   *     report
   * @throws IOException if the log cannot be opened or the output cannot be written
   */
  public static ReadReport follow(
      Chronology.Logs logs,
      EventFilter filter,
      boolean bodies,
      Form form,
      OutputStream out,
      Consumer<String> unread)
      throws IOException {
    var name = logs.logs().getFirst();
    var rows = new TimelineRows(form, true, out);
    var codec =
        new EventCodec(
            bodies ? RawEvent.Detail.BODIES : RawEvent.Detail.HEAD, EventCodec.Order.RECEIVED);
    var matched = new long[1];
    var events =
        new EventFinder.Events() {
          @Override
          public void accept(RawEvent event) throws IOException {
            if (event.stage().isLast() && filter.matches(event)) {
              matched[0]++;
              rows.add(codec.decode(codec.encode(event, true)));
            }
          }

          @Override
          public void unread(Unread record) {
            unread.accept(
                "%s: line %d is not read: it %s".formatted(name, record.line(), record.what()));
          }
        };
    try (var in = name.equals("-") ? logs.standardInput() : followed(name)) {
      var log = new EventFinder(in, name, events).read();
      return new ReadReport(matched[0], List.of(log));
    }
  }

  private static InputStream followed(String name) throws IOException {
    try {
      var path = Path.of(name);
      if (Files.isDirectory(path)) {
        throw new IOException("it is a folder, and one file is followed");
      }
      return new FollowedFile(path);
    } catch (IOException e) {
      throw new UnreadableLog(name, e);
    }
  }
}
