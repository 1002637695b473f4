package dev.shipshape.sandbox;

import java.time.Duration;

/** What a {@link FaultProxy} does to a request instead of passing it on as it is. */
public sealed interface Fault {
  /** It answers with this HTTP status, without asking the API server. */
  record Status(int code) implements Fault {}

  /** It passes the request on, but only after a while. */
  record Slow(Duration delay) implements Fault {}

  /** It passes the beginning of the answer on, and then cuts the connection. */
  record Cut(long afterBytes) implements Fault {}

  /** A watch gets, as its one event, that its resource version is too old (410 Gone). */
  record Gone() implements Fault {}
}
