package dev.shipshape.webhook.admission;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.OptionalInt;
import java.util.function.LongSupplier;

/** Limits the reports of a repeated event: at once, then once in an interval with a count. */
public final class LogLimiter {
  /** Limits the memory. With more events, the oldest is reported again too early. */
  private static final int MAX_EVENTS = 1_000;

  private static final int MAX_LINE = 1_000;

  private record Logged(long at, int since) {}

  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private final LinkedHashMap<String, Logged> logged = new LinkedHashMap<>();

  /** The time is that of {@link System#nanoTime}. */
  public LogLimiter(Duration interval, LongSupplier nanoTime) {
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
  }

  /** Returns how often the event occurred since it was reported; empty if it must not be now. */
  public synchronized OptionalInt log(String event) {
    var now = nanoTime.getAsLong();
    var last = logged.remove(event);
    if (last != null && now - last.at() < intervalNanos) {
      logged.put(event, new Logged(last.at(), last.since() + 1));
      return OptionalInt.empty();
    }
    logged.put(event, new Logged(now, 0));
    if (logged.size() > MAX_EVENTS) {
      logged.pollFirstEntry();
    }
    return OptionalInt.of(last == null ? 0 : last.since());
  }

  /** Puts text from clients on one line and cuts it. */
  public static String line(String text) {
    return text.substring(0, Math.min(text.length(), MAX_LINE)).replaceAll("\\p{Cntrl}", "?");
  }
}
