package dev.shipshape.webhook.certificate;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** No private key, and nothing of the Secret's content, ever reaches the log. */
// Their lines in the log look the same.
@ResourceLock(TestNamespace.SECRET)
@ExtendWith(ControlPlaneExtension.class)
class NoKeyInLogsTest {
  @Promise(
      value = "No private key is ever logged.",
      breaks = "Logging a Secret, or an exception that quotes it.")
  @Test
  void throughALifeOfTroubleNoKeyIsSaid(
      ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    String text;
    try (var log = new CapturedLog();
        var namespace = new TestNamespace(cluster, names, folder)) {
      namespace.register(1, 2);
      liveThroughTrouble(namespace, log);
      text = log.text();
    }

    assertThat(text)
        .contains("created", "replaced: ", "could not load a certificate", "caBundle written");
    // The first bytes of every PKCS #8 key on P-256, its frame, and the frame in base64.
    assertThat(text).doesNotContain("MIGHAgEA", "MEECAQAw", "PRIVATE KEY", "LS0tLS1CRUdJTi");
  }

  private static void liveThroughTrouble(TestNamespace namespace, CapturedLog log)
      throws Exception {
    try (var replica = new TestReplica(namespace)) {
      eventually(() -> assertThat(replica.certificates.notReadyReason()).isEmpty());
      var whole = namespace.stored();
      var half = whole.leafKey().substring(0, whole.leafKey().length() / 2);
      namespace.tamper(Map.of("tls.key", half));
      eventually(() -> assertThat(log.text()).contains("the previous one is still served"));
      assertThat(replica.served()).isEqualTo(whole.leaf());
      assertThat(replica.certificates.notReadyReason()).isEmpty();
      eventually(() -> assertThat(namespace.stored()).isEqualTo(whole));
      namespace.tamper(Map.of("ca.key", half));
      eventually(
          () ->
              assertThat(namespace.stored().bundle())
                  .endsWith(whole.bundle())
                  .isNotEqualTo(whole.bundle()));
      eventually(() -> assertThat(namespace.bundle()).isEqualTo(namespace.stored().bundle()));
      assertThat(replica.served()).isEqualTo(whole.leaf());
      replica.passes(Duration.ofDays(1000));
      eventually(
          () ->
              assertThat(replica.certificates.current().validityProblem(replica.now())).isEmpty());
      eventually(() -> assertThat(namespace.bundle()).isEqualTo(namespace.stored().bundle()));
      namespace.secret().delete();
      var _ = namespace.storedOnceMade();
    }
  }
}
