package dev.shipshape.webhook.certificate;

import static dev.shipshape.webhook.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.webhook.Said;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** No private key, and nothing of the Secret's content, ever reaches the log. */
@ExtendWith(ControlPlaneExtension.class)
class NoKeyInLogsTest {
  private static final List<Path> SOURCES =
      List.of(
          Path.of("../certs/src/main/java"),
          Path.of("src/main/java/dev/shipshape/webhook/certificate"),
          Path.of("src/main/java/dev/shipshape/webhook/server/AdmissionServer.java"),
          Path.of("src/main/java/dev/shipshape/webhook/server/AdmissionListener.java"));

  /** A call of the logger, or the making of a message, with what it is given. */
  private static final Pattern SAID =
      Pattern.compile("(?s)(logger\\s*\\.\\w+|note|new BadCertificate|formatted)\\((.*?)\\);");

  /** What gives a key or the Secret's content, if it is among what is said. */
  private static final Pattern SECRET =
      Pattern.compile(
          "\\.(key|leafKey|authorityKey|pair|parts|content|getData|current|loaded)\\(\\)(?!\\.\\w)"
              + "|\\b(key|pem|content|stored|offer|offered|served|certificate|write)\\b(?!\\.|\"|\\()");

  @Test
  void noStatementOfTheCodeSaysAKeyOrTheSecretsContent() throws IOException {
    var statements = SOURCES.stream().flatMap(NoKeyInLogsTest::statements).toList();

    assertThat(statements).hasSizeGreaterThan(20);
    assertThat(statements).noneMatch(one -> SECRET.matcher(withoutTexts(one)).find());
  }

  @Test
  void theGuardSeesWhatItIsFor() {
    assertThat(
            Stream.of("\"{}\", pair.key()", "secret, write.content()", "\"x \" + pem", "x, stored"))
        .allMatch(one -> SECRET.matcher(withoutTexts(one)).find());
    assertThat(Stream.of("\"the key is: {}\", secret", "certificate.pair().notAfter()"))
        .noneMatch(one -> SECRET.matcher(withoutTexts(one)).find());
  }

  @Test
  void throughALifeOfTroubleNoKeyIsSaid(
      ControlPlane cluster, UniqueNames names, @TempDir Path folder) throws Exception {
    String text;
    try (var said = new Said();
        var namespace = new TestNamespace(cluster, names, folder)) {
      namespace.register(1, 2);
      liveThroughTrouble(namespace);
      text = said.text();
    }

    assertThat(text)
        .contains("created", "replaced: ", "refused the certificate", "caBundle written");
    // The first bytes of every PKCS #8 key on P-256, its frame, and the frame in base64.
    assertThat(text).doesNotContain("MIGHAgEA", "MEECAQAw", "PRIVATE KEY", "LS0tLS1CRUdJTi");
  }

  private static void liveThroughTrouble(TestNamespace namespace) throws Exception {
    try (var replica = new TestReplica(namespace)) {
      eventually(() -> assertThat(replica.certificates.notReadyReason()).isEmpty());
      var whole = namespace.stored();
      var half = whole.leafKey().substring(0, whole.leafKey().length() / 2);
      namespace.tamper(Map.of("tls.key", half));
      eventually(() -> assertThat(namespace.stored()).isEqualTo(whole));
      namespace.tamper(Map.of("ca.key", half));
      eventually(() -> assertThat(namespace.stored().bundle()).isNotEqualTo(whole.bundle()));
      replica.passes(Duration.ofDays(1000));
      eventually(
          () -> assertThat(replica.certificates.current().outOfTime(replica.now())).isEmpty());
      namespace.secret().delete();
      var _ = namespace.storedOnceMade();
    }
  }

  private static Stream<String> statements(Path source) {
    try (var files = Files.walk(source)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .flatMap(file -> SAID.matcher(read(file)).results().map(NoKeyInLogsTest::arguments))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String arguments(MatchResult statement) {
    return statement.group(2);
  }

  private static String withoutTexts(String code) {
    return code.replaceAll("\"[^\"]*\"", "\"\"");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
