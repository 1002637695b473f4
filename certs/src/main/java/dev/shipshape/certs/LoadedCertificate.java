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
 * refused, said and counted, once for each content, and the old one stays.
 */
public final class LoadedCertificate implements CertificateSource {
  private static final Logger logger = LoggerFactory.getLogger(LoadedCertificate.class);

  private final String origin;
  private final InstantSource clock;
  private final ServingCertificate standIn;
  private @Nullable ServingCertificate loaded;
  private @Nullable Offer lastOffer;
  private String problem = "nothing was read yet";
  private String trouble = "";
  private long refusals;

  /**
   * Holds nothing yet.
   *
   * @param origin where offers come from, for messages: {@code the folder /x}
   */
  public LoadedCertificate(String origin, InstantSource clock) {
    this.origin = origin;
    this.clock = clock;
    var life = Duration.ofDays(1);
    this.standIn =
        CertificateSource.inMemory(
                Authority.create("not loaded yet", life, clock),
                new ServerRequest("not loaded yet", List.of("not-loaded-yet.invalid"), life))
            .current();
  }

  private record Offer(String certificate, String key, String bundle) {
    /** Leaves the key out. */
    @Override
    public String toString() {
      return "Offer";
    }
  }

  /** Takes the three over if they are whole, and better than what is there. */
  public synchronized void offer(String certificate, String key, String bundle) {
    var offer = new Offer(certificate, key, bundle);
    if (!offer.equals(lastOffer)) {
      lastOffer = offer;
      try {
        take(ServingCertificate.of(certificate, key, bundle));
      } catch (BadCertificate e) {
        refuse(e.reason());
      }
    }
    sayWhetherItsTimeIsNow();
  }

  /** Notes that there was nothing to read, which is no refusal. */
  public synchronized void absent(String why) {
    lastOffer = null;
    if (!why.equals(problem)) {
      problem = why;
      logger.warn("could not load a certificate from {}{}: {}", origin, whatGoesOn(), why);
    }
    sayWhetherItsTimeIsNow();
  }

  /** What was taken over last; empty before the first. */
  public synchronized Optional<ServingCertificate> loaded() {
    return Optional.ofNullable(loaded);
  }

  @Override
  public synchronized ServingCertificate current() {
    return Objects.requireNonNullElse(loaded, standIn);
  }

  @Override
  public synchronized Optional<String> notReadyReason() {
    return loaded == null
        ? Optional.of("no certificate was loaded from %s: %s".formatted(origin, problem))
        : Optional.empty();
  }

  @Override
  public synchronized long refusals() {
    return refusals;
  }

  private void take(ServingCertificate offered) {
    var now = clock.instant();
    var late = offered.outOfTime(now);
    if (late.isPresent() && loaded != null && loaded.outOfTime(now).isEmpty()) {
      // It is looked at again: a clock that is wrong, this one's too, is put right some time.
      lastOffer = null;
      if (!late.get().equals(problem)) {
        refuse(late.get());
      }
      return;
    }
    problem = "";
    loaded = offered;
  }

  private void refuse(String why) {
    problem = why;
    refusals++;
    logger.warn("refused the certificate from {}{}: {}", origin, whatGoesOn(), why);
  }

  private String whatGoesOn() {
    return loaded == null ? "" : ", the one before is served on";
  }

  private void sayWhetherItsTimeIsNow() {
    var now = loaded == null ? "" : loaded.outOfTime(clock.instant()).orElse("");
    if (!now.isEmpty() && !now.equals(trouble)) {
      logger.warn("serving a certificate from {} that clients will not accept: {}", origin, now);
    }
    trouble = now;
  }
}
