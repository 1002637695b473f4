package dev.shipshape.service;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;

/** Limits the reports of a repeated event: at once, then once in an interval. */
public final class LogLimiter {
  /** Limits the memory. With more events, the oldest is reported again too early. */
  private static final int MAX_EVENTS = 1_000;

  private static final int MAX_LINE = 1_000;

  private final long intervalNanos;
  private final LongSupplier nanoTime;
  private final LinkedHashMap<String, Long> logged = new LinkedHashMap<>();

  /** The time is that of {@link System#nanoTime}. */
  public LogLimiter(Duration interval, LongSupplier nanoTime) {
    this.intervalNanos = interval.toNanos();
    this.nanoTime = nanoTime;
  }

  /** Whether the event is to be reported now. */
  public synchronized boolean isDue(String event) {
    var now = nanoTime.getAsLong();
    var last = logged.get(event);
    if (last != null && now - last < intervalNanos) {
      return false;
    }
    logged.putLast(event, now);
    if (logged.size() > MAX_EVENTS) {
      logged.pollFirstEntry();
    }
    return true;
  }

  /** Puts text from clients on one line and cuts it. */
  public static String line(String text) {
    return text.substring(0, Math.min(text.length(), MAX_LINE)).replaceAll("(?U)\\p{Cntrl}", "?");
  }
}
