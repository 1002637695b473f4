package dev.shipshape.bench;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.ServerRequest;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Starts the servers that are measured, as they are started in earnest. */
final class Launch {
  private final Checkout checkout;
  private final Cluster cluster;

  Launch(Checkout checkout, Cluster cluster) {
    this.checkout = checkout;
    this.cluster = cluster;
  }

  /**
   * The webhook.
   *
   * @param preset the guards that it has; with others than NodeConfigs' it answers without deciding
   */
  Server webhook(String preset) throws IOException {
    var port = freePort();
    var management = freePort();
    var name = "webhook-" + preset;
    var bundle = checkout.target(name + ".pem");
    var settings =
        Files.writeString(
            checkout.target(name + ".yaml"),
            """
            apiVersion: shipshape.dev/v1
            listen: {host: 127.0.0.1, port: %d}
            management: {host: 127.0.0.1, port: %d}
            drain: 0s
            drainConnections: 0s
            guards: [{preset: %s}]
            """
                .formatted(port, management, preset));
    var command = new ArrayList<>(checkout.webhook());
    command.addAll(
        List.of(
            "--settings", settings.toString(), "--kubeconfig", cluster.kubeconfig().toString()));
    command.addAll(List.of("--ca-bundle", bundle.toString()));
    return Server.start(
        command,
        checkout.target(name + ".log"),
        Server.answering(URI.create("http://127.0.0.1:%d/readyz".formatted(management))),
        "https://127.0.0.1:%d/validate".formatted(port),
        bundle);
  }

  /** The Go webhook. */
  Server peer() throws IOException {
    return go("peer");
  }

  /** One in Go that allows all and looks at nothing. */
  Server allow() throws IOException {
    return go("allow");
  }

  /** These have no probe, but listen as soon as they run. */
  private Server go(String program) throws IOException {
    var folder = Files.createDirectories(checkout.target(program + "-certificates"));
    var authority = Authority.create("bench", Duration.ofDays(1), InstantSource.system());
    var pair =
        authority.issueServer(new ServerRequest("peer", List.of("127.0.0.1"), Duration.ofDays(1)));
    Files.writeString(folder.resolve("tls.crt"), pair.certificate());
    Files.writeString(folder.resolve("tls.key"), pair.key());
    var bundle = Files.writeString(folder.resolve("bundle.pem"), authority.certificate());
    var port = freePort();
    return Server.start(
        List.of(
            checkout.program(program),
            "-certs",
            folder.toString(),
            "-port",
            Integer.toString(port)),
        checkout.target(program + ".log"),
        Server.listeningOn(port),
        "https://127.0.0.1:%d/validate".formatted(port),
        bundle);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
