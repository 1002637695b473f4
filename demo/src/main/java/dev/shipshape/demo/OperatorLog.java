package dev.shipshape.demo;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * What a stuck operator writes: each failed watch prints the API server's answer twice, once in the
 * message and once at the end of the traceback.
 */
final class OperatorLog {
  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss,SSS").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);
  private static final String BODY =
      "b'{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\",\"message\":\"resourceVersion:"
          + " Invalid value: \\\\\"None\\\\\": strconv.ParseUint: parsing \\\\\"None\\\\\": invalid"
          + " syntax\",\"code\":500}\\n"
          + "'";

  private OperatorLog() {}

  /**
   * A log that ends now with failures one second apart.
   *
   * @param failures how many watches failed
   */
  static String stuck(Instant now, int failures) {
    var log = new StringBuilder();
    for (var i = failures; i > 0; i--) {
      var at = now.minus(Duration.ofSeconds(i));
      log.append(STAMP.format(at))
          .append(" - ERROR   - cray.cfs.operator - Capture stream cfsv1_job_informer")
          .append(" encountered an exception: ")
          .append(answer(at))
          .append("Traceback (most recent call last):\n  ...\n")
          .append("kubernetes.client.rest.ApiException: ")
          .append(answer(at));
    }
    return log.toString();
  }

  private static String answer(Instant at) {
    return """
    (500)
    Reason: Internal Server Error
    HTTP response headers: HTTPHeaderDict({'Content-Type': 'application/json', 'Date': '%s', 'Content-Length': '186'})
    HTTP response body: %s
    """
        .formatted(HTTP_DATE.format(at), BODY);
  }
}
