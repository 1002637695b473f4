package dev.shipshape.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An API server that wants a newer token, and the issuer that gives it, at one address. */
class TokenRefreshTest {
  /** Trusted, and nobody's: the issuer speaks plain HTTP here. */
  private static final String AUTHORITY =
      """
      -----BEGIN CERTIFICATE-----
      MIIBejCCAR+gAwIBAgIUdoeIYRywSTGKlZoesbQab/3Ep2AwCgYIKoZIzj0EAwIw
      ETEPMA0GA1UEAwwGbm9ib2R5MCAXDTI2MTEyMjAyMTkyOFoYDzIxMjYxMDI5MDIx
      OTI4WjARMQ8wDQYDVQQDDAZub2JvZHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
      AASEfHAZ7cPjwTz0dFWDq7Nj0mGVJUrIirv9CGYK4JIpI2glX9BTW1hTtB1HpoW7
      C0q6jEg4jI6fo+7r1He7Je6Jo1MwUTAdBgNVHQ4EFgQUToNK3SZVGLt208A/FpjD
      3tgM1lIwHwYDVR0jBBgwFoAUToNK3SZVGLt208A/FpjD3tgM1lIwDwYDVR0TAQH/
      BAUwAwEB/zAKBggqhkjOPQQDAgNJADBGAiEA1/sw2d2mwMf36MHf4xqBZ0lbVZw0
      ihcBvbzmqBEveOgCIQCMQNe8KYgYkrlizg2WoF2aH0H4Rub2lLh7OlViD37sow==
      -----END CERTIFICATE-----
      """;

  @TempDir private Path folder = Path.of("");
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", TokenRefreshTest::version);
    server.createContext("/issuer/.well-known/", this::discovery);
    server.createContext(
        "/issuer/token", exchange -> send(exchange, 200, "{\"id_token\": \"new\"}"));
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void theLibrarysOwnClientForATokenDoesNotEndOursWhenItIsClosed() throws Exception {
    try (var client = ApiConnection.open(kubeconfig(), null)) {
      assertThat(client.raw("/version")).contains("\"major\"");
      assertThat(client.raw("/version")).as("and once more").contains("\"major\"");
    }
  }

  private static void version(HttpExchange exchange) throws IOException {
    var old = !"Bearer new".equals(exchange.getRequestHeaders().getFirst("Authorization"));
    send(exchange, old ? 401 : 200, old ? "{}" : "{\"major\": \"1\"}");
  }

  private void discovery(HttpExchange exchange) throws IOException {
    send(exchange, 200, "{\"token_endpoint\": \"%s/issuer/token\"}".formatted(address()));
  }

  private static void send(HttpExchange exchange, int code, String body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(code, 0);
      exchange.getResponseBody().write(body.getBytes(UTF_8));
    }
  }

  private String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private Path kubeconfig() throws IOException {
    return Files.writeString(
        folder.resolve("config"),
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%1$s"}}]
        users:
        - name: u
          user:
            auth-provider:
              name: oidc
              config:
                client-id: x
                id-token: old
                refresh-token: x
                idp-issuer-url: "%1$s/issuer"
                idp-certificate-authority-data: %2$s
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(address(), Base64.getEncoder().encodeToString(AUTHORITY.getBytes(UTF_8))));
  }
}
