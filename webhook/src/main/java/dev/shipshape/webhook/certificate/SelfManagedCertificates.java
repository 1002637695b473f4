package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.LoadedCertificate;
import dev.shipshape.certs.Renewal;
import dev.shipshape.certs.RenewalPlan;
import dev.shipshape.certs.ServingCertificate;
import dev.shipshape.certs.StoredCertificates;
import dev.shipshape.service.PeriodicTask;
import dev.shipshape.webhook.certificate.CertificateSecret.Absent;
import dev.shipshape.webhook.certificate.CertificateSecret.Foreign;
import dev.shipshape.webhook.certificate.CertificateSecret.Found;
import dev.shipshape.webhook.certificate.CertificateSecret.Ours;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate in a Secret. Every replica serves what is in it, renews it and puts its bundle
 * into the mutating webhook configuration, from which the validating one has it. Where two begin at
 * once, the first write succeeds, by the Secret's resourceVersion, and the other replica takes what
 * that has written.
 */
public final class SelfManagedCertificates implements CertificateSource {
  /** Far more than an API server's watch takes, and far less than what is left of a life. */
  private static final Duration PROPAGATION = Duration.ofSeconds(30);

  private static final Logger logger = LoggerFactory.getLogger(SelfManagedCertificates.class);

  /** Looks at what watches have shown, and asks the API server only if something is to be done. */
  private static final Duration BETWEEN = Duration.ofSeconds(1);

  /** Certificates begin 5 minutes before they are made, so this much never matters. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(2);

  private final CertificateSecret secret;
  private final WebhookConfigurations configurations;
  private final Renewal renewal;
  private final Duration propagation;
  private final LoadedCertificate loaded;
  private final InstantSource clock;
  private final InstantSource apiServerClock;
  private final SharedIndexInformer<Secret> secrets;
  private final PeriodicTask task;
  private String lastNote = "";

  /** The bundle that stands in the configurations, and since when; empty for none. */
  private String standing = "";

  private Instant standsSince = Instant.MAX;

  SelfManagedCertificates(
      CertificateSettings.SelfManaged settings,
      KubernetesClient client,
      WebhookConfigurations configurations,
      Timing timing) {
    var namespace = Optional.ofNullable(client.getNamespace()).orElse("default");
    this.secret = new CertificateSecret(client, namespace, settings.secret());
    this.configurations = configurations;
    this.clock = timing.clock();
    this.apiServerClock = timing.apiServerClock();
    this.renewal =
        new Renewal(
            settings.authority(),
            settings.leaf(),
            settings.service(),
            names(settings, namespace),
            clock);
    this.propagation = timing.propagation();
    this.loaded = new LoadedCertificate(secret.toString(), clock);
    this.secrets = WebhookConfigurations.follow(secret.resource());
    this.task = PeriodicTask.start("certificates", timing.between(), this::refresh);
  }

  /** By which a Service is reached. The API server itself uses {@code name.namespace.svc}. */
  private static List<String> names(CertificateSettings.SelfManaged settings, String namespace) {
    var base = settings.service() + "." + namespace;
    return Stream.concat(
            Stream.of(base + ".svc", base + ".svc.cluster.local", base),
            settings.moreNames().stream())
        .toList();
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
   * @param client stays the caller's to close, as do the configurations
   */
  public static SelfManagedCertificates start(
      CertificateSettings.SelfManaged settings,
      KubernetesClient client,
      WebhookConfigurations configurations,
      Clock clock) {
    return new SelfManagedCertificates(
        settings,
        client,
        configurations,
        new Timing(clock, new ServerClock(client), PROPAGATION, BETWEEN));
  }

  @Override
  public ServingCertificate current() {
    return loaded.current();
  }

  @Override
  public Optional<String> notReadyReason() {
    return loaded.notReadyReason();
  }

  @Override
  public long refusals() {
    return loaded.refusals();
  }

  @Override
  public void close() {
    secrets.close();
    task.close();
  }

  /** Serves what is stored, and sees to what is stored and trusted. */
  private void refresh() {
    if (!secrets.hasSynced()) {
      return;
    }
    var found = secret.found(secrets.getStore().list().stream().findAny().orElse(null));
    load(found);
    var registered = configurations.known();
    try {
      maintain(found, registered);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      logger.debug("{}: another replica was first", secret);
    }
  }

  private void load(Found found) {
    switch (found) {
      case Absent _ -> loaded.absent("it does not exist; it is about to be made");
      case Foreign _ -> loaded.absent(foreign());
      case Ours ours when ours.content().isEmpty() ->
          loaded.absent("it is empty; it is about to be filled");
      case Ours ours -> {
        var content = ours.content();
        loaded.offer(content.leaf(), content.leafKey(), content.bundle());
      }
    }
  }

  private void maintain(Found found, Optional<List<Registration>> registered) {
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
    }
  }

  /** Returns whether the Secret is another now. */
  private boolean renew(Ours ours, Optional<List<Registration>> registered) {
    var bundle = ours.content().bundle();
    var stands = registered.filter(all -> all.stream().allMatch(one -> one.has(bundle)));
    if (!(plan(ours.content(), isTrusted(bundle, stands.isPresent()))
            instanceof RenewalPlan.Write write)
        || !clocksAgree()) {
      return false;
    }
    secret.replace(ours, write.content());
    logger.info("{}: replaced: {}", secret, String.join("; ", write.reasons()));
    return true;
  }

  /** Each API server learns of a bundle by its own watch, so it counts as trusted after a while. */
  private boolean isTrusted(String bundle, boolean stands) {
    var now = clock.instant();
    // A clock that was set back would make it wait for longer than it needs.
    if (!stands || !bundle.equals(standing) || now.isBefore(standsSince)) {
      standing = stands ? bundle : "";
      standsSince = now;
    }
    return stands && !now.isBefore(standsSince.plus(propagation));
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
      if (!registration.isOurs()) {
        continue;
      }
      if (registration.bundles().isEmpty()) {
        note(registration + " has no entry under shipshape.dev, so there is no caBundle to keep");
      } else if (!registration.has(bundle) && isStill(bundle)) {
        configurations.apply(registration, bundle);
        logger.info("{}: caBundle written", registration);
      }
    }
  }

  /** The watch may not have shown yet what another replica has written. */
  private boolean isStill(String bundle) {
    return secret.read() instanceof Ours now && now.content().bundle().equals(bundle);
  }

  /** A certificate made by a wrong clock is worse than an old one. */
  private boolean clocksAgree() {
    var own = clock.instant();
    var other = apiServerClock.instant();
    var apart = Duration.between(other, own);
    if (apart.abs().compareTo(CLOCK_TOLERANCE) <= 0) {
      return true;
    }
    note(
        ("no certificate is made or renewed: it is %s here and %s at the API server; set the"
                + " node's clock right")
            .formatted(own, other));
    return false;
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
