package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.Authority;
import dev.shipshape.service.Section;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The section {@code certificates} of the webhook's settings. Fields of sources that are not
 * selected are checked and not used.
 *
 * @param configurations the name of both webhook configurations
 * @param secret the Secret's name, in the pod's namespace
 * @param service the Service's name, from which the DNS names of the certificate are built
 * @param moreNames further DNS names and addresses of the certificate
 * @param authority renewed after 8 months: often enough that renewal is known to work. The 4 months
 *     left are longer than a serving certificate is valid
 * @param leaf renewed after 60 days, with 30 days left
 * @param folder with {@code tls.crt, tls.key, ca.crt}
 */
public record CertificateSettings(
    Source source,
    String configurations,
    String secret,
    String service,
    List<String> moreNames,
    Duration authority,
    Duration leaf,
    Path folder) {
  /** A third is left after a renewal: several times what a rotation takes. */
  private static final Duration MIN_LIFE = Duration.ofMinutes(9);

  public enum Source {
    /** A CA in memory: for tests, or behind a proxy that terminates TLS. */
    IN_MEMORY,
    /** A CA and a serving certificate in a Secret, which any replica creates and renews. */
    SELF_MANAGED,
    /** A folder that another program fills. */
    FILES
  }

  public CertificateSettings {
    moreNames = List.copyOf(moreNames);
  }

  public static CertificateSettings from(Section section) {
    var settings =
        new CertificateSettings(
            section.choice("source", Source.IN_MEMORY),
            section.text("configurations", "shipshape"),
            section.text("secret", "shipshape-webhook-certificates"),
            section.text("service", "shipshape-webhook"),
            section.texts("names"),
            life(section.section("authority"), Duration.ofDays(365)),
            life(section.section("leaf"), Duration.ofDays(90)),
            Path.of(section.text("folder", "/etc/shipshape/certificates")));
    settings.moreNames.stream()
        .filter(name -> !Authority.isName(name))
        .forEach(name -> section.problem("names", "not a DNS name or IP address: " + name));
    if (settings.leaf.compareTo(settings.authority) > 0) {
      section.problem(
          "leaf", "must not be longer than authority.life: the authority signs the leaf");
    }
    return settings;
  }

  private static Duration life(Section section, Duration fallback) {
    var life = section.duration("life", fallback);
    if (life.compareTo(MIN_LIFE) < 0) {
      section.problem("life", "must be at least 9m");
    }
    return life;
  }
}
