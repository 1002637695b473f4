package dev.shipshape.janitor.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A token by OAuth 2.0 client credentials (RFC 6749, 4.4), in the form that CSM's Keycloak is asked
 * with: id and secret in the body. It is kept until shortly before it expires.
 */
public final class ClientCredentials implements BearerToken {
  /** Well below what a pod has to end in (30 s), for whoever is told to stop meanwhile. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  /** Before its end, a token may expire on its way. */
  private static final Duration MARGIN = Duration.ofSeconds(30);

  /** Where the endpoint does not say. */
  private static final Duration LIFE = Duration.ofMinutes(1);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http;
  private final Source source;
  private final InstantSource clock;
  private final Duration patience;
  private final AtomicInteger failures = new AtomicInteger();
  private @Nullable IOException failure;
  private @Nullable Token token;

  /**
   * Where a token comes from.
   *
   * @param endpoint the token endpoint's address
   * @param idFile holds the client's id, as a mounted Secret does; read whenever a token is asked
   *     for
   * @param secretFile likewise the client's secret
   */
  public record Source(URI endpoint, Path idFile, Path secretFile) {}

  private record Token(String text, Instant until) {}

  /**
   * @param http from {@link RestConnection}
   */
  public ClientCredentials(HttpClient http, Source source, InstantSource clock) {
    this(http, source, clock, PATIENCE);
  }

  /**
   * @param patience for an answer of the endpoint
   */
  ClientCredentials(HttpClient http, Source source, InstantSource clock, Duration patience) {
    this.patience = patience;
    this.http = http;
    this.source = source;
    this.clock = clock;
  }

  /** Whoever waits while another one asks in vain does not ask once more. */
  @Override
  public Optional<String> get() throws IOException {
    var before = failures.get();
    synchronized (this) {
      var kept = token;
      if (kept == null || !clock.instant().isBefore(kept.until())) {
        var failed = failure;
        if (failed != null && failures.get() != before) {
          throw new IOException(failed.getMessage(), failed);
        }
        kept = askAndKeep();
      }
      return Optional.of(kept.text());
    }
  }

  private Token askAndKeep() throws IOException {
    try {
      var given = ask();
      token = given;
      failure = null;
      return given;
    } catch (IOException e) {
      failure = e;
      failures.incrementAndGet();
      throw e;
    }
  }

  @Override
  public synchronized boolean renew(String refused) {
    if (token != null && token.text().equals(refused)) {
      token = null;
    }
    return true;
  }

  private Token ask() throws IOException {
    var form =
        Map.of(
            "grant_type", "client_credentials",
            "client_id", Files.readString(source.idFile()).strip(),
            "client_secret", Files.readString(source.secretFile()).strip());
    var request =
        HttpRequest.newBuilder(source.endpoint())
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(encoded(form)))
            .build();
    var asked = clock.instant();
    try {
      var response = RestConnection.send(http, request, patience);
      return token(response.statusCode(), parse(response.body()), asked);
    } catch (TimeoutException e) {
      throw new IOException(source.endpoint() + " gave no token within " + patience, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while asking %s for a token".formatted(source.endpoint()));
    }
  }

  private Token token(int code, JsonNode answer, Instant asked) throws IOException {
    var text = answer.path("access_token").asText("");
    if (code != 200 || text.isEmpty()) {
      throw new IOException(
          "%s gave no token: %d %s %s; look at clientIdFile and clientSecretFile"
              .formatted(
                  source.endpoint(),
                  code,
                  answer.path("error").asText(""),
                  answer.path("error_description").asText("")));
    }
    var life = Duration.ofSeconds(answer.path("expires_in").asLong(LIFE.toSeconds()));
    var margin = life.dividedBy(2).compareTo(MARGIN) < 0 ? life.dividedBy(2) : MARGIN;
    return new Token(text, asked.plus(life).minus(margin));
  }

  private static String encoded(Map<String, String> form) {
    return form.entrySet().stream()
        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  private static JsonNode parse(byte[] body) throws IOException {
    try {
      return MAPPER.readTree(body);
    } catch (JsonProcessingException e) {
      return MissingNode.getInstance();
    }
  }
}
