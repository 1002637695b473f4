package dev.shipshape.webhook.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.certificate.CertificateSettings.Source;
import dev.shipshape.webhook.config.WebhookSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertificateSettingsTest {
  @Test
  void withoutTheSectionTheCertificateIsInMemory() throws BadSettings {
    assertThat(parse("drain: 1s"))
        .isEqualTo(
            new CertificateSettings(
                Source.IN_MEMORY,
                "shipshape",
                "shipshape-webhook-certificates",
                "shipshape-webhook",
                List.of(),
                Duration.ofDays(365),
                Duration.ofDays(90),
                Path.of("/etc/shipshape/certificates")));
  }

  @Test
  void everyFieldIsRead() throws BadSettings {
    var settings =
        parse(
            """
            certificates:
              source: self-managed
              secret: s
              service: w
              names: [webhook.example.com, 192.0.2.1, "2001:db8::0001"]
              configurations: c
              authority: {life: 30d}
              leaf: {life: 10d}
              folder: /tls
            """);

    assertThat(settings)
        .isEqualTo(
            new CertificateSettings(
                Source.SELF_MANAGED,
                "c",
                "s",
                "w",
                List.of("webhook.example.com", "192.0.2.1", "2001:db8::0001"),
                Duration.ofDays(30),
                Duration.ofDays(10),
                Path.of("/tls")));
    assertThat(parse("certificates: {source: files}").source()).isEqualTo(Source.FILES);
  }

  /** Else each renewal would fail, until the certificate expires. */
  @Test
  void aNameThatNoCertificateCanHaveIsAMistake() {
    for (var name : List.of("10.0.0.256", "1.2.3", "überall.example.com", "a b", "::g")) {
      var mistakes =
          catchThrowableOfType(
              BadSettings.class, () -> parse("certificates: {names: ['" + name + "']}"));
      assertThat(mistakes.problems()).singleElement().asString().contains(name);
    }
  }

  @Test
  void everyMistakeIsToldAtOnceWithItsLine() {
    var mistakes =
        catchThrowableOfType(
            BadSettings.class,
            () ->
                parse(
                    """
                    certificates:
                      source: cert-manager
                      colour: red
                      authority: {life: 8m}
                      leaf: {life: 20d}
                    """));

    assertThat(mistakes.problems())
        .anySatisfy(
            line ->
                assertThat(line)
                    .isEqualTo(
                        "webhook.yaml:4: certificates.source: must be one of in-memory,"
                            + " self-managed, files"))
        .anySatisfy(
            line -> assertThat(line).startsWith("webhook.yaml:5: certificates.colour: unknown"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("webhook.yaml:6: certificates.authority.life: must be at least 9m"))
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("webhook.yaml:7: certificates.leaf: must not be longer"))
        .hasSize(4);
  }

  private static CertificateSettings parse(String yaml) throws BadSettings {
    return WebhookSettings.parse(
            "webhook.yaml", "apiVersion: shipshape.dev/v1\nguards: [{preset: nodeconfig}]\n" + yaml)
        .certificates();
  }
}
