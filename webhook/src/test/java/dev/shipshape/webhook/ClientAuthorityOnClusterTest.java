package dev.shipshape.webhook;

import static dev.shipshape.webhook.Eventually.eventually;
import static dev.shipshape.webhook.NodeConfigs.config;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.certs.Authority;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The API server, which shows webhooks a certificate, calls one that demands it. */
@ExtendWith(ControlPlaneExtension.class)
class ClientAuthorityOnClusterTest {
  private final int vni = GuardedCluster.newVni();

  @Promise(
      value = "With `clientAuthority`, only clients with a certificate of that authority may call.",
      breaks = "Requesting a certificate without requiring it.")
  @Test
  void theApiServerIsHeardByItsCertificateAndOnlyByIt(
      ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    var file = folder.resolve("callers.crt");
    Files.writeString(file, cluster.authority().certificate());
    var settings = "clientAuthority: {file: '%s'}%n".formatted(file);
    var node = names.name("worker");
    try (var guarded = GuardedCluster.install(cluster, names, folder, settings, "")) {
      guarded.recordInvalid(node, vni);
      assertThat(guarded.create(config(node, vni)).expect(403).message()).contains("known invalid");

      Files.writeString(
          file,
          Authority.create("others", Duration.ofDays(1), InstantSource.system()).certificate());

      eventually(
          () ->
              assertThat(guarded.create(config(node, vni)).expect(500).message())
                  .contains("failed calling webhook"));

      Files.writeString(file, cluster.authority().certificate());

      eventually(() -> guarded.create(config(node, vni)).expect(403));
    }
  }
}
