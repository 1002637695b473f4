package dev.shipshape.janitor.session;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A call whose answer must be there to its last byte in time; the client bounds only its head. */
final class WholeAnswer {
  private WholeAnswer() {}

  static HttpResponse<byte[]> of(HttpClient http, HttpRequest request, Duration patience)
      throws IOException, InterruptedException, TimeoutException {
    var answer = http.sendAsync(request, BodyHandlers.ofByteArray());
    try {
      return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } finally {
      answer.cancel(true);
    }
  }
}
