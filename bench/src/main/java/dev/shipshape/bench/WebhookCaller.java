package dev.shipshape.bench;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.shipshape.certs.ClientContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;

/** Calls the webhook itself, as the API server does. */
final class WebhookCaller implements AutoCloseable {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final URI url;
  private final HttpClient http;

  WebhookCaller(String url, String bundle) {
    this.url = URI.create(url);
    this.http = HttpClient.newBuilder().sslContext(ClientContext.trusting(bundle)).build();
  }

  boolean allows(String review) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(url)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(review))
            .build();
    var answer = http.send(request, BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException("the webhook answered " + answer.statusCode() + ": " + answer.body());
    }
    return MAPPER.readTree(answer.body()).path("response").path("allowed").asBoolean();
  }

  @Override
  public void close() {
    http.close();
  }
}
