package dev.shipshape.janitor.kubernetes;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the server answered.
 *
 * @param date the server's clock at that moment, to the second; null where it did not say
 * @param retryAfter how long the server asks us to wait; null where it does not
 * @param warnings what the server warns of, in its own words
 * @param body a missing node where the answer is not JSON or was read as a stream
 */
public record Answer(
    int code,
    @Nullable Instant date,
    @Nullable Duration retryAfter,
    List<String> warnings,
    JsonNode body) {
  /** RFC 9110's form: {@code 299 - "text"}. */
  private static final Pattern WARNING = Pattern.compile("299 \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

  public Answer {
    warnings = List.copyOf(warnings);
  }

  /** An answer from its parts, with the headers as they came. */
  public static Answer of(
      int code, @Nullable String date, @Nullable String retryAfter, JsonNode body) {
    return new Answer(code, date(date), pause(retryAfter, date(date)), List.of(), body);
  }

  static Answer of(HttpResponse<?> response, JsonNode body) {
    var date = date(response.header("Date"));
    return new Answer(
        response.code(),
        date,
        pause(response.header("Retry-After"), date),
        response.headers("Warning").stream().flatMap(Answer::texts).toList(),
        body);
  }

  static Answer of(HttpResponse<?> response) {
    return of(response, MissingNode.getInstance());
  }

  /** Whether the code is a 2xx. */
  public boolean isSuccessful() {
    return code >= 200 && code < 300;
  }

  /**
   * This answer, if its code is a 2xx.
   *
   * @param call what was attempted
   * @throws ApiFailure otherwise
   */
  public Answer requireSuccess(String call) {
    if (!isSuccessful()) {
      throw new ApiFailure(call, this);
    }
    return this;
  }

  /**
   * The server's clock.
   *
   * @param server what to call it
   * @throws ApiFailure where it did not say
   */
  public Instant requireDate(String server) {
    if (date == null) {
      throw ApiFailure.unsuitable(server + "'s answers carry no Date: no age can be told");
    }
    return date;
  }

  /** The message of a Kubernetes Status or of an RFC 7807 problem; empty where it is neither. */
  public String message() {
    return body.path("message").asText(body.path("detail").asText(""));
  }

  private static Stream<String> texts(String header) {
    return WARNING
        .matcher(header)
        .results()
        .map(found -> found.group(1).replaceAll("\\\\(.)", "$1"));
  }

  private static @Nullable Instant date(@Nullable String header) {
    try {
      return header == null
          ? null
          : ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  /**
   * RFC 9110 has two forms: seconds, or a time.
   *
   * @param now by the server's clock, which the time is by
   */
  private static @Nullable Duration pause(@Nullable String header, @Nullable Instant now) {
    if (header == null) {
      return null;
    }
    try {
      return atLeastNone(Duration.ofSeconds(Long.parseLong(header.strip())));
    } catch (NumberFormatException e) {
      var until = date(header.strip());
      return until == null || now == null ? null : atLeastNone(Duration.between(now, until));
    }
  }

  private static Duration atLeastNone(Duration pause) {
    return pause.isNegative() ? Duration.ZERO : pause;
  }
}
