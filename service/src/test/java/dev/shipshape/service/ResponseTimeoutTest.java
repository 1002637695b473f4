package dev.shipshape.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class ResponseTimeoutTest {
  /** As behind a proxy that has lost the API server. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.SECONDS)
  void aBodyThatStopsArrivingIsAnError() throws IOException {
    var loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    var server = HttpServer.create(loopback, 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, 1_000);
          exchange.getResponseBody().write("{\"kind\":".getBytes(UTF_8));
          exchange.getResponseBody().flush();
        });
    server.start();
    var config =
        new ConfigBuilder()
            .withAutoConfigure(false)
            .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
            .withRequestRetryBackoffLimit(0)
            .build();
    var timeout = new ResponseTimeout(Duration.ofMillis(100));
    try (var client =
        new KubernetesClientBuilder()
            .withConfig(config)
            .withHttpClientBuilderConsumer(
                http -> http.addOrReplaceInterceptor(ResponseTimeout.NAME, timeout))
            .build()) {
      assertThatThrownBy(() -> client.configMaps().inNamespace("shop").list())
          .isInstanceOf(KubernetesClientException.class);
    } finally {
      server.stop(0);
    }
  }
}
