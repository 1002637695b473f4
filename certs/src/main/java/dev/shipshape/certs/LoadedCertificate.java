package dev.shipshape.certs;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The served certificate, which {@link #offer} replaces. An invalid offer is refused and logged
 * once for each reason, and the previous certificate is served.
 */
public abstract class LoadedCertificate implements CertificateSource {
  private static final Logger logger = LoggerFactory.getLogger(LoadedCertificate.class);

  private final String origin;
  private final String name;
  private final InstantSource clock;
  private final ServingCertificate placeholder;
  private @Nullable ServingCertificate loaded;
  private String problem = "nothing was read yet";

  /**
   * @param origin of the offers, for messages: {@code the folder /x}
   * @param name that an offer must have, since clients use it; empty if any will do
   */
  protected LoadedCertificate(String origin, String name, InstantSource clock) {
    this.origin = origin;
    this.name = name;
    this.clock = clock;
    var life = Duration.ofDays(1);
    var authority = Authority.create("not loaded yet", life, clock);
    this.placeholder =
        new ServingCertificate(
            authority.issueServer("not loaded yet", List.of("not-loaded-yet.invalid"), life), "");
  }

  /** Serves a certificate if it is valid. An expired one does not replace one that is not. */
  protected final synchronized void offer(String certificate, String key, String bundle) {
    try {
      var offered = ServingCertificate.of(certificate, key, bundle);
      if (!name.isEmpty() && !offered.isFor(name)) {
        refuse("the certificate in tls.crt is not for %s, which API servers call".formatted(name));
        return;
      }
      var now = clock.instant();
      var validityProblem = offered.validityProblem(now).orElse("");
      if (!validityProblem.isEmpty() && loaded != null && loaded.validityProblem(now).isEmpty()) {
        refuse(validityProblem);
        return;
      }
      loaded = offered;
      if (!validityProblem.isEmpty() && !validityProblem.equals(problem)) {
        logger.warn(
            "serving a certificate from {} that clients will not accept: {}",
            origin,
            validityProblem);
      }
      problem = validityProblem;
    } catch (BadCertificate e) {
      refuse(e.reason());
    }
  }

  /** Keeps the previous certificate, and logs each reason once. */
  protected final synchronized void refuse(String reason) {
    if (!reason.equals(problem)) {
      var kept = loaded == null ? "" : ", the previous one is still served";
      logger.warn("could not load a certificate from {}{}: {}", origin, kept, reason);
    }
    problem = reason;
  }

  /** The last accepted certificate; empty before the first. */
  protected final synchronized Optional<ServingCertificate> loaded() {
    return Optional.ofNullable(loaded);
  }

  @Override
  public final synchronized ServingCertificate current() {
    return Objects.requireNonNullElse(loaded, placeholder);
  }

  @Override
  public final synchronized Optional<String> notReadyReason() {
    return loaded == null
        ? Optional.of("no certificate was loaded from %s: %s".formatted(origin, problem))
        : Optional.empty();
  }
}
