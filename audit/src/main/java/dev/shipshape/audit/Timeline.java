package dev.shipshape.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Iterator;

/** The requests of several logs as one chronology. */
public final class Timeline {
  private Timeline() {}

  /** In which form. */
  public enum Form {
    TABLE,
    CSV,
    JSON
  }

  /**
   * Writes one line for each request, or for each of its stages.
   *
   * @throws IOException if a log cannot be read or the output cannot be written
   */
  public static ReadReport write(
      Chronology.Logs logs, EventFilter filter, boolean allStages, Form form, OutputStream out)
      throws IOException {
    try (var chronology = Chronology.read(logs, filter, Line.Detail.HEAD)) {
      Iterator<AuditEvent> events = allStages ? chronology.stages() : chronology.requests();
      TimelineRows.write(events, form, allStages, out);
      return chronology.report();
    }
  }
}
