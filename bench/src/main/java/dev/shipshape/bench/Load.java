package dev.shipshape.bench;

import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs the load generator, with 8 connections. */
final class Load {
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int RATE = 300;

  private final Checkout checkout;

  Load(Checkout checkout) {
    this.checkout = checkout;
  }

  /**
   * What the load generator saw.
   *
   * @param rate requests a second
   * @param p50 milliseconds, as all that follow
   * @param problem of the first request that failed; empty for none
   */
  record Seen(
      int requests,
      int failed,
      double rate,
      double p50,
      double p99,
      double worst,
      String problem) {}

  /** As fast as answers come. */
  Seen closed(String url, Path body, int requests) throws IOException, InterruptedException {
    return run(url, body, requests, 0);
  }

  /** 300 a second, whether or not answers come. */
  Seen open(String url, Path body, int requests) throws IOException, InterruptedException {
    return run(url, body, requests, RATE);
  }

  private Seen run(String url, Path body, int requests, int rate)
      throws IOException, InterruptedException {
    var process =
        new ProcessBuilder(
                List.of(
                    checkout.program("load"),
                    "-url",
                    url,
                    "-body",
                    body.toString(),
                    "-requests",
                    Integer.toString(requests),
                    "-rate",
                    Integer.toString(rate)))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("the load generator failed for " + url);
    }
    var seen = MAPPER.readValue(said, Seen.class);
    if (seen.failed() > 0) {
      throw new IOException(
          "%d of %d requests to %s failed: %s"
              .formatted(seen.failed(), seen.requests(), url, seen.problem()));
    }
    return seen;
  }
}
