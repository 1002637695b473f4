package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.shipshape.certs.Authority;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RestConnectionTest {
  private static final Duration LIFE = Duration.ofDays(1);

  private final Authority authority = Authority.create("cfs", LIFE, InstantSource.system());
  @TempDir private Path folder = Path.of("");
  private HttpsServer server;

  @BeforeEach
  void start() throws IOException {
    var pair = authority.issueServer("cfs", List.of("127.0.0.1"), LIFE);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(ClientContext.of(authority.certificate(), pair)));
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aServiceOfTheFilesAuthorityIsTrusted() throws IOException {
    assertThat(service(file(authority.certificate())).call("GET", "/").code()).isEqualTo(204);
  }

  @Test
  void aServiceOfAnotherAuthorityIsNot() throws IOException {
    var another = Authority.create("another", LIFE, InstantSource.system());

    assertUntrusted(service(file(another.certificate())));
    assertUntrusted(service(null));
  }

  @Test
  void aFileWithoutAnAuthorityIsSaidAtTheStart() throws IOException {
    for (var wrong : List.of(file(""), file("no certificate"), folder.resolve("absent"))) {
      assertThatThrownBy(() -> service(wrong))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("authorityFile " + wrong);
    }
  }

  @Test
  void aConnectionIsNotUpgradedToHttp2() throws IOException {
    var plain = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    var upgrades = new CopyOnWriteArrayList<String>();
    plain.createContext(
        "/",
        exchange -> {
          upgrades.addAll(exchange.getRequestHeaders().getOrDefault("Upgrade", List.of()));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    plain.start();
    var address = URI.create("http://127.0.0.1:" + plain.getAddress().getPort());

    new RestService(new RestEndpoint(address, null, null)).call("GET", "/");

    plain.stop(0);
    assertThat(upgrades).isEmpty();
  }

  /** As uWSGI. The JDK repeats only a GET. */
  @Test
  void aServiceThatClosesAConnectionWithoutSayingSoAnswersEachCall() throws IOException {
    try (var uwsgi = UwsgiServer.start("", "{}")) {
      var service = new RestService(new RestEndpoint(uwsgi.address(), null, null));
      for (var method : List.of("GET", "DELETE", "DELETE", "GET")) {
        assertThat(service.call(method, "/").code()).as(method).isEqualTo(200);
      }
    }
  }

  /** Nothing was sent. */
  @Test
  void aTokenThatCannotBeReadIsNoServiceThatIsNotReached() throws IOException {
    var address = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    for (var wrong : List.of(folder.resolve("absent"), folder, file("two\nlines"))) {
      assertThatThrownBy(
              () -> new RestService(new RestEndpoint(address, wrong, null)).call("GET", "/"))
          .isInstanceOf(KubernetesClientException.class)
          .hasMessageContaining("tokenFile " + wrong)
          .hasMessageNotContainingAny("reachable", "two");
    }
  }

  private static void assertUntrusted(RestService service) {
    assertThatThrownBy(() -> service.call("GET", "/"))
        .isInstanceOf(KubernetesClientException.class)
        .hasMessageContainingAll("GET https://127.0.0.1:", "PKIX");
  }

  private RestService service(@Nullable Path authorityFile) {
    var address = URI.create("https://127.0.0.1:" + server.getAddress().getPort());
    return new RestService(new RestEndpoint(address, null, authorityFile));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(folder, "authority", ".pem"), text);
  }
}
