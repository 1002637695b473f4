package dev.shipshape.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** The requests of several logs as one chronology. */
public final class Timeline {
  private Timeline() {}

  /** In which form. */
  public enum Form {
    TABLE,
    CSV,
    JSON,
    /** One page with bodies and races, for a browser. */
    HTML
  }

  /**
   * Writes one line for each request, or for each of its stages.
   *
   * @throws IOException if a log cannot be read or the output cannot be written
   */
  public static ReadReport write(
      Chronology.Logs logs, EventFilter filter, boolean allStages, Form form, OutputStream out)
      throws IOException {
    var html = form == Form.HTML;
    try (var chronology =
        Chronology.read(logs, filter, html ? Line.Detail.BODIES : Line.Detail.HEAD)) {
      var races = html ? Races.among(chronology.requests()) : List.<Race>of();
      var events = allStages ? chronology.stages() : chronology.requests();
      if (html) {
        HtmlPage.write(out, events, races);
      } else {
        TimelineRows.write(events, form, allStages, out);
      }
      return chronology.report();
    }
  }
}
