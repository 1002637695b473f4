package dev.shipshape.sandbox;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.ClientContext;
import dev.shipshape.certs.KeyPair;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The authority of a control plane, and its certificates. */
final class Certificates {
  private static final String ADMIN = "shipshape-sandbox-admin";
  private static final List<String> ADMIN_GROUPS = List.of("system:masters");

  private static final List<String> CLIENTS =
      List.of("kube-apiserver-etcd-client", "service-account-tokens", ControlPlane.WEBHOOK_CALLER);

  private static final Duration LIFE = Duration.ofDays(365);
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  private final Authority authority =
      Authority.create("shipshape-sandbox", LIFE, InstantSource.system());

  /** Writes what the programs present, and the authority that they trust, into the folder. */
  Certificates(StateFolder folder) {
    folder.write("authority.crt", authority.certificate());
    write(folder, "server", authority.issueServer("server", List.of("127.0.0.1"), LIFE));
    CLIENTS.forEach(name -> write(folder, name, issueClient(name, List.of())));
  }

  Authority authority() {
    return authority;
  }

  KeyPair issueClient(String user, List<String> groups) {
    return authority.issueClient(user, groups, LIFE);
  }

  /** Returns a client that trusts only this authority, and authenticates as the user. */
  HttpClient httpClient(String user, List<String> groups) {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(CONNECT_TIMEOUT)
        .sslContext(ClientContext.of(authority.certificate(), issueClient(user, groups)))
        .build();
  }

  HttpClient adminClient() {
    return httpClient(ADMIN, ADMIN_GROUPS);
  }

  String adminKubeconfig(URI server) {
    return Kubeconfig.text(server, authority.certificate(), issueClient(ADMIN, ADMIN_GROUPS));
  }

  private static void write(StateFolder folder, String name, KeyPair pair) {
    folder.write(name + ".crt", pair.certificate());
    folder.write(name + ".key", pair.key());
  }
}
