package dev.shipshape.webhook.certificate;

import dev.shipshape.service.Section;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The section {@code certificates} of the webhook's settings. */
public sealed interface CertificateSettings {
  /**
   * Renewed after 8 months: often enough that renewal is known to work. The 4 months left are
   * longer than a serving certificate is valid.
   */
  Duration AUTHORITY = Duration.ofDays(365);

  /** Renewed after 60 days, with 30 days left. */
  Duration LEAF = Duration.ofDays(90);

  /** A third is left after a renewal: several times what a rotation takes. */
  Duration MIN_LIFE = Duration.ofMinutes(9);

  /** The values of {@code certificates.source}. */
  enum Source {
    IN_MEMORY,
    SELF_MANAGED,
    FILES
  }

  /** The name of both webhook configurations. */
  String configurations();

  /** A CA in memory: for tests, or behind a proxy that terminates TLS. */
  record InMemory(String configurations) implements CertificateSettings {}

  /**
   * A CA and a serving certificate in a Secret, which any replica creates and renews.
   *
   * @param secret the Secret's name, in the pod's namespace
   * @param service the Service's name, from which the DNS names of the certificate are built
   * @param moreNames further DNS names and addresses of the certificate
   */
  record SelfManaged(
      String secret,
      String service,
      List<String> moreNames,
      String configurations,
      Duration authority,
      Duration leaf)
      implements CertificateSettings {
    public SelfManaged {
      moreNames = List.copyOf(moreNames);
    }
  }

  /** A folder with {@code tls.crt, tls.key, ca.crt} that another program fills. */
  record Files(Path folder, String configurations) implements CertificateSettings {}

  /** Reads the section. Fields of sources that are not selected are checked and not used. */
  static CertificateSettings from(Section section) {
    var source = section.choice("source", Source.IN_MEMORY);
    var configurations = section.text("configurations", "shipshape");
    var selfManaged =
        new SelfManaged(
            section.text("secret", "shipshape-webhook-certificates"),
            section.text("service", "shipshape-webhook"),
            section.texts("names", List.of()),
            configurations,
            life(section.section("authority"), AUTHORITY),
            life(section.section("leaf"), LEAF));
    if (selfManaged.leaf().compareTo(selfManaged.authority()) > 0) {
      section.problem(
          "leaf", "must not be longer than authority.life: the authority signs the leaf");
    }
    var folder = Path.of(section.text("folder", "/etc/shipshape/certificates"));
    return switch (source) {
      case IN_MEMORY -> new InMemory(configurations);
      case SELF_MANAGED -> selfManaged;
      case FILES -> new Files(folder, configurations);
    };
  }

  private static Duration life(Section section, Duration fallback) {
    var life = section.duration("life", fallback);
    if (life.compareTo(MIN_LIFE) < 0) {
      section.problem("life", "must be at least 9m");
    }
    return life;
  }
}
