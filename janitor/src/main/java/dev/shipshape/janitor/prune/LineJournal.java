package dev.shipshape.janitor.prune;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.PrintStream;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;

/** One JSON object a line: what an administrator's log collection keeps. */
public final class LineJournal implements Journal {
  private final PrintStream out;
  private final InstantSource clock;

  public LineJournal(PrintStream out, InstantSource clock) {
    this.out = out;
    this.clock = clock;
  }

  @Override
  public synchronized void record(String run, Deletion deletion) {
    out.println(line(run, deletion, clock.instant()));
    out.flush();
  }

  @Override
  public synchronized void record(JobRemoval removal) {
    out.println(removal.line(clock.instant()));
    out.flush();
  }

  static String line(String run, Deletion deletion, Instant now) {
    var session = deletion.entry().session();
    var verdict = deletion.entry().verdict();
    var line =
        JsonNodeFactory.instance
            .objectNode()
            .put("time", now.toString())
            .put("event", "deletion")
            .put("run", run)
            .put("object", session.reference())
            .put("uid", session.uid())
            .put("ageSeconds", verdict.age().toSeconds())
            .put("rule", verdict.rule().name().toLowerCase(Locale.ROOT).replace('_', '-'))
            .put("result", deletion.outcome().word())
            .put("seconds", deletion.took().toMillis() / 1000.0);
    if (!deletion.outcome().detail().isEmpty()) {
      line.put("detail", deletion.outcome().detail());
    }
    return line.toString();
  }
}
