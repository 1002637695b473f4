package dev.shipshape.sandbox;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.certs.KeyPair;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The authority of a control plane, and its certificates. */
final class Certificates {
  private static final String ADMIN = "shipshape-sandbox-admin";
  private static final List<String> ADMIN_GROUPS = List.of("system:masters");

  private static final Duration LIFE = Duration.ofDays(365);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final List<String> NAMES =
      List.of(
          "127.0.0.1",
          "localhost",
          "kubernetes",
          "kubernetes.default",
          "kubernetes.default.svc",
          "kubernetes.default.svc.cluster.local");

  private final Authority authority =
      Authority.create("shipshape-sandbox", LIFE, InstantSource.system());
  private final StateFolder folder;
  private final Path authorityFile;

  Certificates(StateFolder folder) {
    this.folder = folder;
    authorityFile = folder.write("authority.crt", authority.certificate());
  }

  record Files(Path certificate, Path key) {}

  Authority authority() {
    return authority;
  }

  Path authorityFile() {
    return authorityFile;
  }

  Files server(String name) {
    return write(name, authority.issueServer(name, NAMES, LIFE));
  }

  Files client(String name) {
    return write(name, issueClient(name, List.of()));
  }

  KeyPair issueClient(String user, List<String> groups) {
    return authority.issueClient(user, groups, LIFE);
  }

  /** Returns a client that trusts only this authority, and authenticates as the user. */
  HttpClient httpClient(String user, List<String> groups) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(CONNECT_TIMEOUT)
        .sslContext(ClientContext.presenting(issueClient(user, groups), authority.certificate()))
        .build();
  }

  HttpClient adminClient() {
    return httpClient(ADMIN, ADMIN_GROUPS);
  }

  String adminKubeconfig(URI server) {
    return Kubeconfig.text(server, authority.certificate(), issueClient(ADMIN, ADMIN_GROUPS));
  }

  private Files write(String name, KeyPair pair) {
    return new Files(
        folder.write(name + ".crt", pair.certificate()), folder.write(name + ".key", pair.key()));
  }
}
