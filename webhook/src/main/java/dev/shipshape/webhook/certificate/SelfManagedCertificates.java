package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.LoadedCertificate;
import dev.shipshape.certs.Renewal;
import dev.shipshape.certs.RenewalPlan;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.certs.StoredCertificates;
import dev.shipshape.webhook.certificate.CertificateSecret.Absent;
import dev.shipshape.webhook.certificate.CertificateSecret.Foreign;
import dev.shipshape.webhook.certificate.CertificateSecret.Found;
import dev.shipshape.webhook.certificate.CertificateSecret.Ours;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate in a Secret. Every replica serves what is in it; the one that leads makes and
 * renews it, and puts its bundle into the webhook configurations.
 */
public final class SelfManagedCertificates implements CertificateSource {
  /** Far more than an API server's watch takes, and far less than what is left of a life. */
  private static final Duration PROPAGATION = Duration.ofSeconds(30);

  private static final Logger logger = LoggerFactory.getLogger(SelfManagedCertificates.class);
  private static final Duration BETWEEN = Duration.ofSeconds(10);

  /** Certificates begin 5 minutes before they are made, so this much never matters. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(2);

  private final CertificateSecret secret;
  private final Registrations registrations;
  private final Renewal renewal;
  private final Propagation propagation;
  private final LoadedCertificate loaded;
  private final TrustGauge trust;
  private final BooleanSupplier leads;
  private final InstantSource clock;
  private final InstantSource apiServerClock;
  private final Rounds rounds;
  private final Watches watches;
  private String lastNote = "";

  SelfManagedCertificates(
      CertificateSettings.SelfManaged settings,
      KubernetesClient client,
      BooleanSupplier leads,
      Timing timing,
      MeterRegistry registry) {
    var namespace = Optional.ofNullable(client.getNamespace()).orElse("default");
    this.secret = new CertificateSecret(client, namespace, settings.secret());
    this.registrations = new Registrations(client, settings.configurations());
    this.clock = timing.clock();
    this.apiServerClock = timing.apiServerClock();
    this.renewal =
        new Renewal(
            settings.authority(),
            settings.leaf(),
            settings.service(),
            ServiceNames.of(settings, namespace),
            clock);
    this.propagation = new Propagation(timing.propagation());
    this.loaded = new LoadedCertificate(secret.toString(), clock);
    this.trust = new TrustGauge(registry);
    this.leads = leads;
    this.rounds = new Rounds("certificates", timing.between(), leads, this::round);
    this.watches = new Watches(secret, registrations, rounds::ring);
  }

  /**
   * When things are done.
   *
   * @param apiServerClock compared with ours before anything is made
   * @param propagation how long a bundle must have stood in the configurations to be trusted
   * @param between how long it is at most from one look to the next
   */
  record Timing(
      InstantSource clock, InstantSource apiServerClock, Duration propagation, Duration between) {}

  /**
   * Begins to follow the Secret, and returns: there may be no certificate yet.
   *
   * @param leads whether this replica leads now
   * @param client stays the caller's to close
   */
  public static SelfManagedCertificates start(
      CertificateSettings.SelfManaged settings,
      KubernetesClient client,
      BooleanSupplier leads,
      Clock clock,
      MeterRegistry registry) {
    var certificates =
        new SelfManagedCertificates(
            settings,
            client,
            leads,
            new Timing(clock, new ApiServerClock(client), PROPAGATION, BETWEEN),
            registry);
    certificates.start();
    return certificates;
  }

  void start() {
    watches.start();
    rounds.start();
  }

  @Override
  public ServingCertificate current() {
    return loaded.current();
  }

  @Override
  public Optional<String> missing() {
    return loaded.missing();
  }

  @Override
  public long refusals() {
    return loaded.refusals();
  }

  @Override
  public void close() {
    watches.close();
    rounds.close();
  }

  /** Each replica serves what is stored; the one that leads sees to what is stored and trusted. */
  private void round() {
    var found = secret.read();
    load(found);
    var registered = registered();
    if (leads.getAsBoolean()) {
      lead(found, registered);
    }
    trust.look(registered.orElse(List.of()), loaded.current());
  }

  /** Empty where they cannot be read, which must not keep a leaf from being renewed. */
  private Optional<List<Registration>> registered() {
    try {
      return Optional.of(registrations.read());
    } catch (KubernetesClientException e) {
      note("the webhook configurations could not be read: " + Rounds.explain(e));
      return Optional.empty();
    }
  }

  private void load(Found found) {
    switch (found) {
      case Absent _ -> loaded.absent("it does not exist; the replica that leads will make it");
      case Foreign _ -> loaded.absent(foreign());
      case Ours ours when ours.content().isEmpty() ->
          loaded.absent("it is empty; the replica that leads will fill it");
      case Ours ours -> {
        var content = ours.content();
        loaded.offer(content.leaf(), content.leafKey(), content.bundle());
      }
    }
  }

  private void lead(Found found, Optional<List<Registration>> registered) {
    switch (found) {
      case Foreign _ -> note(foreign());
      case Absent _ -> create();
      case Ours ours -> {
        if (!renew(ours, registered)) {
          register(ours, registered.orElse(List.of()));
        }
      }
    }
  }

  private void create() {
    if (plan(StoredCertificates.NONE, false) instanceof RenewalPlan.Write write && clocksAgree()) {
      secret.create(write.content());
      logger.info("{}: created", secret);
      rounds.ring();
    }
  }

  /** Returns whether the Secret is another now. */
  private boolean renew(Ours ours, Optional<List<Registration>> registered) {
    var bundle = ours.content().bundle();
    var stands = registered.filter(all -> all.stream().allMatch(one -> one.has(bundle)));
    var trusted = propagation.has(bundle, stands.isPresent(), clock.instant());
    if (!(plan(ours.content(), trusted) instanceof RenewalPlan.Write write) || !clocksAgree()) {
      return false;
    }
    secret.replace(ours, write.content());
    logger.info("{}: replaced, for {}", secret, String.join("; ", write.reasons()));
    rounds.ring();
    return true;
  }

  private RenewalPlan plan(StoredCertificates stored, boolean trusted) {
    return renewal.plan(stored, loaded.loaded().orElse(null), trusted);
  }

  /** Only a bundle that was found whole is given to anybody to trust. */
  private void register(Ours ours, List<Registration> registered) {
    var bundle = ours.content().bundle();
    if (loaded.loaded().filter(served -> served.bundle().equals(bundle)).isEmpty()) {
      return;
    }
    for (var registration : registered) {
      if (registration.bundles().isEmpty()) {
        note(registration + " has no entry under shipshape.dev, so there is no caBundle to keep");
      } else if (!registration.has(bundle)) {
        registrations.apply(registration, bundle);
        logger.info("{}: caBundle put in", registration);
      }
    }
  }

  /** A certificate made by a wrong clock is worse than an old one. */
  private boolean clocksAgree() {
    var own = clock.instant();
    var other = apiServerClock.instant();
    var apart = Duration.between(other, own);
    if (apart.abs().compareTo(CLOCK_TOLERANCE) <= 0) {
      return true;
    }
    note(whyNot(own, other));
    return false;
  }

  private static String whyNot(Instant own, Instant other) {
    return ("nothing is made or renewed, for the clocks are apart: it is %s here and %s at the API"
            + " server; set the node's clock right")
        .formatted(own, other);
  }

  private String foreign() {
    return ("%s is not ours, as it has no label %s: %s, and is left alone; delete it, or name"
            + " another by certificates.secret")
        .formatted(secret, CertificateSecret.LABEL, CertificateSecret.LABEL_VALUE);
  }

  /** Says what stays as it is, once. */
  private void note(String text) {
    if (!text.equals(lastNote)) {
      logger.warn("{}", text);
      lastNote = text;
    }
  }
}
