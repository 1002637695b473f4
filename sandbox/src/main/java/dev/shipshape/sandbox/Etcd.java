package dev.shipshape.sandbox;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The control plane's store, on a free port, for holders of the authority's certificates only. */
record Etcd(URI address, GuardedProcess process) {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /**
   * As installers set it, so that the API server's bookmarks follow what is written elsewhere. A
   * variable, since an etcd that no longer knows this name does not fail for it.
   */
  private static final Map<String, String> PROGRESS =
      Map.of("ETCD_EXPERIMENTAL_WATCH_PROGRESS_NOTIFY_INTERVAL", "5s");

  static Etcd start(Programs programs, StateFolder folder, Certificates certificates) {
    var pair = certificates.server("etcd-server");
    var address = URI.create("https://127.0.0.1:" + FreePort.pick());
    var process =
        GuardedProcess.start(
            command(programs.path(Programs.ETCD), address, folder, certificates, pair),
            folder.path(),
            PROGRESS,
            folder.file("etcd.log"));
    try (var client = certificates.httpClient("etcd-probe", List.of())) {
      var health = new HealthCheck(client, address.resolve("/health"));
      return new Etcd(address, process.awaitReady(health::succeeds, PATIENCE));
    }
  }

  private static List<String> command(
      String program,
      URI address,
      StateFolder folder,
      Certificates certificates,
      Certificates.Files pair) {
    // One member has no peers, but must listen for them: on any port.
    var peers = "https://127.0.0.1:0";
    return List.of(
        program,
        "--name=sandbox",
        "--data-dir=" + folder.file("etcd"),
        "--listen-client-urls=" + address,
        "--advertise-client-urls=" + address,
        "--listen-peer-urls=" + peers,
        "--initial-advertise-peer-urls=" + peers,
        "--initial-cluster=sandbox=" + peers,
        "--client-cert-auth",
        "--trusted-ca-file=" + certificates.authorityFile(),
        "--cert-file=" + pair.certificate(),
        "--key-file=" + pair.key(),
        "--peer-client-cert-auth",
        "--peer-trusted-ca-file=" + certificates.authorityFile(),
        "--peer-cert-file=" + pair.certificate(),
        "--peer-key-file=" + pair.key(),
        // Needs a certificate for itself as a client, and nobody here speaks to it.
        "--enable-grpc-gateway=false",
        // The data need not survive a power cut.
        "--unsafe-no-fsync");
  }
}
