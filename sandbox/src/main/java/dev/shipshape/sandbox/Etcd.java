package dev.shipshape.sandbox;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The etcd of a control plane, on a free port. Requires client certificates of the authority. */
record Etcd(URI address, GuardedProcess process) {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /**
   * As installers set it, so that bookmarks of a watch advance with writes to other kinds. An
   * environment variable, because a later etcd without this option ignores it.
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
      return new Etcd(address, process.awaitReady(health::succeeds, TIMEOUT));
    }
  }

  private static List<String> command(
      String program,
      URI address,
      StateFolder folder,
      Certificates certificates,
      Certificates.Files pair) {
    // A single member has no peers, but must listen for them.
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
        // Not used here, and needs a client certificate.
        "--enable-grpc-gateway=false",
        // The data need not survive a power cut.
        "--unsafe-no-fsync");
  }
}
