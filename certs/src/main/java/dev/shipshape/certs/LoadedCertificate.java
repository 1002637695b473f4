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
 * The certificate that is served while others are offered to take its place. One that is broken is
 * refused, logged and counted, once for each reason, and the old one stays.
 */
public abstract class LoadedCertificate implements CertificateSource {
  private static final Logger logger = LoggerFactory.getLogger(LoadedCertificate.class);

  private final String origin;
  private final InstantSource clock;
  private final ServingCertificate standIn;
  private @Nullable ServingCertificate loaded;
  private String problem = "nothing was read yet";
  private long refusals;

  /**
   * Holds nothing yet.
   *
   * @param origin where offers come from, for messages: {@code the folder /x}
   */
  protected LoadedCertificate(String origin, InstantSource clock) {
    this.origin = origin;
    this.clock = clock;
    var life = Duration.ofDays(1);
    var nobody = new ServerRequest("not loaded yet", List.of("not-loaded-yet.invalid"), life);
    var authority = Authority.create("not loaded yet", life, clock);
    this.standIn = new ServingCertificate(authority.issueServer(nobody), "");
  }

  /** Takes the three over if they are whole, and better than what is there. */
  protected final synchronized void offer(String certificate, String key, String bundle) {
    try {
      var offered = ServingCertificate.of(certificate, key, bundle);
      var now = clock.instant();
      var late = offered.outOfTime(now).orElse("");
      if (!late.isEmpty() && loaded != null && loaded.outOfTime(now).isEmpty()) {
        refuse(late);
        return;
      }
      loaded = offered;
      if (!late.isEmpty() && !late.equals(problem)) {
        logger.warn("serving a certificate from {} that clients will not accept: {}", origin, late);
      }
      problem = late;
    } catch (BadCertificate e) {
      refuse(e.reason());
    }
  }

  private void refuse(String why) {
    if (!why.equals(problem)) {
      refusals++;
      logger.warn("refused the certificate from {}{}: {}", origin, whatGoesOn(), why);
    }
    problem = why;
  }

  /** Notes that there was nothing to read, which is no refusal. */
  protected final synchronized void absent(String why) {
    if (!why.equals(problem)) {
      logger.warn("could not load a certificate from {}{}: {}", origin, whatGoesOn(), why);
    }
    problem = why;
  }

  private String whatGoesOn() {
    return loaded == null ? "" : ", the one before is served on";
  }

  /** What was taken over last; empty before the first. */
  protected final synchronized Optional<ServingCertificate> loaded() {
    return Optional.ofNullable(loaded);
  }

  @Override
  public final synchronized ServingCertificate current() {
    return Objects.requireNonNullElse(loaded, standIn);
  }

  @Override
  public final synchronized Optional<String> notReadyReason() {
    return loaded == null
        ? Optional.of("no certificate was loaded from %s: %s".formatted(origin, problem))
        : Optional.empty();
  }

  @Override
  public final synchronized long refusals() {
    return refusals;
  }
}
