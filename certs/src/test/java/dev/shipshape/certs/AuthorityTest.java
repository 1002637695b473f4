package dev.shipshape.certs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuthorityTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private final Authority authority =
      Authority.create("test authority", Duration.ofDays(10), InstantSource.fixed(NOW));

  @Test
  void aServingCertificateIsSignedByTheAuthorityAndNamesTheServer() throws Exception {
    var pair =
        authority.issueServer(
            "webhook", List.of("localhost", "127.0.0.1", "::1"), Duration.ofDays(2));

    var leaf = parse(pair.certificate());
    leaf.verify(parse(authority.certificate()).getPublicKey());
    assertThat(leaf.getSubjectAlternativeNames())
        .extracting(name -> (Object) name.get(1))
        .containsExactly("localhost", "127.0.0.1", "0:0:0:0:0:0:0:1");
    assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
    assertThat(leaf.getBasicConstraints()).as("no authority itself").isEqualTo(-1);
    assertThat(leaf.getSigAlgName()).isEqualTo("SHA256withECDSA");
  }

  @Test
  void aCertificateLivesFromALittleBeforeNowToTheEndOfItsLife() throws Exception {
    var pair = authority.issueServer("x", List.of("x"), Duration.ofDays(2));

    var leaf = parse(pair.certificate());
    assertThat(leaf.getNotBefore()).isEqualTo(Date.from(NOW.minus(Duration.ofMinutes(5))));
    assertThat(leaf.getNotAfter()).isEqualTo(Date.from(NOW.plus(Duration.ofDays(2))));
    assertThat(pair.notAfter()).isEqualTo(NOW.plus(Duration.ofDays(2)));
  }

  @Test
  void aClientCertificateCarriesUserAndGroupsAsKubernetesReadsThem() throws Exception {
    var pair = authority.issueClient("jane", List.of("system:masters"), Duration.ofDays(1));

    var leaf = parse(pair.certificate());
    assertThat(leaf.getSubjectX500Principal().getName()).isEqualTo("CN=jane,O=system:masters");
    assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
  }

  @Test
  void theKeyIsNeverPrinted() {
    var pair = authority.issueClient("jane", List.of(), Duration.ofDays(1));

    assertThat(pair.key()).startsWith("-----BEGIN PRIVATE KEY-----");
    assertThat(pair.toString()).doesNotContain("PRIVATE KEY");
  }

  @Test
  void theInMemorySourceServesOneCertificateForItsLife() {
    var source =
        CertificateSource.inMemory(authority, "x", List.of("localhost"), Duration.ofDays(1));

    assertThat(source.current()).isSameAs(source.current());
    assertThat(source.current().bundle()).isEqualTo(authority.certificate());
  }

  private static X509Certificate parse(String pem) throws Exception {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
  }
}
