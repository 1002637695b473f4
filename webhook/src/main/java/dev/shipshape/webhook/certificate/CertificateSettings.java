package dev.shipshape.webhook.certificate;

import dev.shipshape.service.Section;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The section {@code certificates} of the webhook's settings. */
public sealed interface CertificateSettings {
  /**
   * Renewed after 8 months: often enough that somebody has seen it work, with 4 months to spare,
   * which is more than a leaf lives.
   */
  Duration AUTHORITY = Duration.ofDays(365);

  /** Renewed after 60 days, with 30 to spare. */
  Duration LEAF = Duration.ofDays(90);

  /** A third is left after the renewal: several times what it takes to be trusted and served. */
  Duration SHORTEST = Duration.ofMinutes(9);

  /** The values of {@code certificates.source}. */
  enum Source {
    IN_MEMORY,
    SELF_MANAGED,
    FILES
  }

  /** The name of both webhook configurations: those that are written to, or looked at. */
  String configurations();

  /** An authority of its own, in memory: for a try, or behind something else that ends TLS. */
  record InMemory(String configurations) implements CertificateSettings {}

  /**
   * Authority and leaf in a Secret, made and renewed by any replica.
   *
   * @param secret the Secret's name, in the pod's namespace
   * @param service the Service's name, for the leaf's names
   * @param moreNames DNS names and addresses that the leaf is valid for besides
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

  /**
   * A folder with {@code tls.crt}, {@code tls.key} and {@code ca.crt}, which somebody else fills.
   */
  record Files(Path folder, String configurations) implements CertificateSettings {}

  /** Reads the section; fields of a source that was not chosen are checked and left unused. */
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
      section.problem("leaf", "must not live longer than the authority, which signs it");
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
    if (life.compareTo(SHORTEST) < 0) {
      section.problem("life", "must be 9m at least");
    }
    return life;
  }
}
