package dev.shipshape.certs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateFolderTest {
  private static final Duration LIFE = Duration.ofDays(1);

  private final MovableClock clock = new MovableClock();
  private final Authority authority = Authority.create("issuer", LIFE.multipliedBy(10), clock);
  @TempDir private Path folder = Path.of("");

  @Test
  void aBrokenPairIsRefusedOnceAndTheOldOneKept() throws Exception {
    var good = leaf();
    write(folder, good);
    var source = new CertificateFolder(folder, "", clock);

    Files.writeString(folder.resolve("tls.crt"), leaf().certificate());
    source.refresh();
    source.refresh();

    assertThat(source.current().pair()).isEqualTo(good);
    assertThat(source.notReadyReason()).isEmpty();
    var next = leaf();
    write(folder, next);
    source.refresh();
    assertThat(source.current().pair()).as("and a whole one is taken again").isEqualTo(next);
  }

  /** API servers refuse it, so that writes of guarded objects would fail. */
  @Test
  void onesForAnotherServiceAreRefusedAndTheOldOneKept() throws Exception {
    var wildcard = leaf("*.ns.svc");
    write(folder, wildcard);
    var source = new CertificateFolder(folder, "webhook.ns.svc", clock);

    write(folder, leaf("webhook.other.svc"));
    source.refresh();

    assertThat(source.current().pair()).isEqualTo(wildcard);
    var next = leaf("webhook.ns.svc");
    write(folder, next);
    source.refresh();
    assertThat(source.current().pair()).isEqualTo(next);
  }

  @Test
  void onesThatAreNotValidYetAreTakenOverWhenTheClockIsRight() throws Exception {
    var good = leaf();
    write(folder, good);
    var source = new CertificateFolder(folder, "", clock);
    clock.move(LIFE.dividedBy(2));
    var next = leaf();
    clock.move(LIFE.dividedBy(2).negated());
    write(folder, next);

    source.refresh();
    source.refresh();

    assertThat(source.current().pair()).isEqualTo(good);
    clock.move(LIFE.dividedBy(2));
    source.refresh();
    assertThat(source.current().pair()).isEqualTo(next);
  }

  @Test
  void aFileThatIsNotThereIsNamed() throws Exception {
    write(folder, leaf());
    Files.delete(folder.resolve("ca.crt"));

    var source = new CertificateFolder(folder, "", clock);

    assertThat(source.notReadyReason().orElse(""))
        .contains("no certificate was loaded from the folder", "there is no", "ca.crt");
    write(folder, leaf());
    source.refresh();
    assertThat(source.notReadyReason()).isEmpty();
  }

  @Test
  void aCertificateOutOfItsTimeDoesNotReplaceAGoodOne() throws Exception {
    var expired = leaf();
    clock.move(LIFE.multipliedBy(2));
    var good = leaf();
    write(folder, good);
    var source = new CertificateFolder(folder, "", clock);

    write(folder, expired);
    source.refresh();

    assertThat(source.current().pair()).isEqualTo(good);
  }

  @Test
  void aCertificateOutOfItsTimeIsBetterThanNone() throws Exception {
    write(folder, leaf());
    clock.move(LIFE.multipliedBy(2));

    var source = new CertificateFolder(folder, "", clock);

    assertThat(source.notReadyReason()).isEmpty();
    assertThat(source.current().validityProblem(clock.instant()).orElse(""))
        .contains("has expired at");
    clock.move(LIFE.multipliedBy(-4));
    assertThat(source.current().validityProblem(clock.instant()).orElse(""))
        .contains("valid only from");
  }

  private KeyPair leaf() {
    return leaf("x");
  }

  private KeyPair leaf(String name) {
    return authority.issueServer("x", List.of(name), LIFE);
  }

  private void write(Path where, KeyPair pair) throws IOException {
    Files.writeString(where.resolve("tls.crt"), pair.certificate());
    Files.writeString(where.resolve("tls.key"), pair.key());
    Files.writeString(where.resolve("ca.crt"), authority.certificate());
  }
}
