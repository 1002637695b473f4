package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.LoadedCertificate;
import dev.shipshape.certs.Renewal;
import dev.shipshape.certs.StoredCertificates;
import dev.shipshape.service.PeriodicTask;
import dev.shipshape.service.ServerClock;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate in a Secret. Every replica serves what is in it, renews it and puts its bundle
 * into the mutating webhook configuration, from which the validating one has it. Where two begin at
 * once, the first write succeeds, by the Secret's resourceVersion, and the other replica takes what
 * that has written.
 */
public final class SelfManagedCertificates extends LoadedCertificate {
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
  private final Timing timing;
  private final SharedIndexInformer<Secret> secrets;
  private final PeriodicTask task;

  /** The bundle that stands in the configurations, and since when; empty for none. */
  private String standing = "";

  private Instant standsSince = Instant.MAX;

  SelfManagedCertificates(
      CertificateSettings.SelfManaged settings,
      KubernetesClient client,
      WebhookConfigurations configurations,
      Timing timing) {
    var namespace = Optional.ofNullable(client.getNamespace()).orElse("default");
    var kept = new CertificateSecret(client, namespace, settings.secret());
    super(kept.toString(), timing.clock());
    this.secret = kept;
    this.configurations = configurations;
    this.timing = timing;
    this.renewal =
        new Renewal(
            settings.authority(),
            settings.leaf(),
            settings.service(),
            names(settings, namespace),
            timing.clock());
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
        new Timing(clock, () -> ServerClock.read(client), PROPAGATION, BETWEEN));
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
    var stored = secrets.getStore().list().stream().findAny().orElse(null);
    if (stored != null && !CertificateSecret.isOurs(stored)) {
      absent(
          "it is not ours, as it has no label %s: %s, and is left alone; delete it, or name another by certificates.secret"
              .formatted(CertificateSecret.LABEL, CertificateSecret.LABEL_VALUE));
      return;
    }
    var content = CertificateSecret.content(stored);
    if (content.isEmpty()) {
      absent("it is not there, or empty; it is about to be filled");
    } else {
      offer(content.leaf(), content.leafKey(), content.bundle());
    }
    try {
      // Only a bundle that was found whole is given to anybody to trust.
      if (loaded().filter(served -> served.bundle().equals(content.bundle())).isPresent()) {
        configurations.keep(content.bundle());
      }
      renew(stored, content);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      logger.debug("{}: another replica was first", secret);
    }
  }

  private void renew(@Nullable Secret stored, StoredCertificates content) {
    var plan = renewal.plan(content, loaded().orElse(null), isTrusted(content.bundle()));
    if (!plan.reasons().isEmpty()) {
      requireSameTime();
      secret.write(stored, plan.content());
      var what = stored == null ? "created" : "replaced";
      logger.info("{}: {}: {}", secret, what, String.join("; ", plan.reasons()));
    }
  }

  /** Each API server learns of a bundle by its own watch, so it counts as trusted after a while. */
  private boolean isTrusted(String bundle) {
    var stands = configurations.have(bundle);
    var now = timing.clock().instant();
    // A clock that was set back would make it wait for longer than it needs.
    if (!stands || !bundle.equals(standing) || now.isBefore(standsSince)) {
      standing = stands ? bundle : "";
      standsSince = now;
    }
    return stands && !now.isBefore(standsSince.plus(timing.propagation()));
  }

  /** A certificate made by a wrong clock is worse than an old one. */
  private void requireSameTime() {
    var apart = Duration.between(timing.apiServerClock().instant(), timing.clock().instant());
    if (apart.abs().compareTo(CLOCK_TOLERANCE) > 0) {
      throw new IllegalStateException(
          "no certificate is made or renewed: the clocks of this node and of the API server are more than %d minutes apart; set the node's clock right"
              .formatted(CLOCK_TOLERANCE.toMinutes()));
    }
  }
}
