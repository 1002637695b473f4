package dev.shipshape.webhook.certificate;

import dev.shipshape.certs.LoadedCertificate;
import dev.shipshape.certs.Renewal;
import dev.shipshape.certs.StoredCertificates;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.PeriodicTask;
import dev.shipshape.service.ServerClock;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the certificate in a Secret, renews it, and writes its CA bundle into the mutating webhook
 * configuration; the validating configuration gets the bundle from there. All replicas do this. If
 * two write at once, the Secret's resourceVersion makes the second write fail, and that replica
 * reads what the first has written.
 */
public final class SelfManagedCertificates extends LoadedCertificate {
  /** Much longer than a watch needs, and much shorter than the remaining validity. */
  private static final Duration PROPAGATION = Duration.ofSeconds(30);

  private static final Logger logger = LoggerFactory.getLogger(SelfManagedCertificates.class);

  /** Cheap: the API server is called only if something has to be written. */
  private static final Duration REFRESH_INTERVAL = Duration.ofSeconds(1);

  /** A smaller difference has no effect: certificates are valid from 5 minutes before. */
  private static final Duration CLOCK_TOLERANCE = Duration.ofMinutes(2);

  /** A Secret without this label is never changed. */
  static final String LABEL = "shipshape.dev/certificates";

  static final String LABEL_VALUE = "self-managed";

  private final KubernetesClient client;
  private final String namespace;
  private final String name;
  private final WebhookConfigurations configurations;
  private final Renewal renewal;
  private final Timing timing;
  private final SharedIndexInformer<Secret> secrets;
  private final PeriodicTask task;

  /** The bundle that both configurations have, and since when; empty if they have none. */
  private String publishedBundle = "";

  private Instant publishedSince = Instant.MAX;

  SelfManagedCertificates(
      CertificateSettings settings,
      KubernetesClient client,
      WebhookConfigurations configurations,
      Timing timing) {
    var namespace = ApiConnection.namespace(client);
    super("Secret %s/%s".formatted(namespace, settings.secret()), "", timing.clock());
    this.namespace = namespace;
    this.name = settings.secret();
    this.client = client;
    this.configurations = configurations;
    this.timing = timing;
    this.renewal =
        new Renewal(
            settings.authority(),
            settings.leaf(),
            settings.service(),
            names(settings, namespace),
            timing.clock());
    this.secrets =
        WebhookConfigurations.startInformer(client.secrets().inNamespace(namespace).withName(name));
    this.task = PeriodicTask.start("certificates", timing.interval(), this::refresh);
  }

  /** The DNS names of the Service. The API server uses {@code name.namespace.svc}. */
  private static List<String> names(CertificateSettings settings, String namespace) {
    var base = settings.service() + "." + namespace;
    return Stream.concat(
            Stream.of(base + ".svc", base + ".svc.cluster.local", base),
            settings.moreNames().stream())
        .toList();
  }

  /**
   * Clocks and intervals.
   *
   * @param apiServerClock compared with {@code clock} before a certificate is created
   * @param propagation how long the configurations must have had a bundle before it counts as
   *     trusted
   */
  record Timing(
      InstantSource clock, InstantSource apiServerClock, Duration propagation, Duration interval) {}

  /**
   * Starts to watch the Secret and returns. There may be no certificate yet.
   *
   * @param client closed by the caller, as are {@code configurations}
   */
  public static SelfManagedCertificates start(
      CertificateSettings settings,
      KubernetesClient client,
      WebhookConfigurations configurations,
      Clock clock) {
    return new SelfManagedCertificates(
        settings,
        client,
        configurations,
        new Timing(clock, () -> ServerClock.read(client), PROPAGATION, REFRESH_INTERVAL));
  }

  @Override
  public void close() {
    secrets.close();
    task.close();
  }

  private void refresh() {
    if (!secrets.hasSynced()) {
      return;
    }
    var stored = secrets.getStore().list().stream().findAny().orElse(null);
    if (stored != null && !isOurs(stored)) {
      refuse(
          "it has no label %s: %s, so it is not changed; delete it, or set another name in certificates.secret"
              .formatted(LABEL, LABEL_VALUE));
      return;
    }
    var content = content(stored);
    if (content.isEmpty()) {
      refuse("it is missing or empty; a replica is about to fill it");
    } else {
      offer(content.leaf(), content.leafKey(), content.bundle());
    }
    try {
      // Publish a bundle only if its certificate was loaded successfully.
      try {
        if (loaded().filter(served -> served.bundle().equals(content.bundle())).isPresent()) {
          configurations.publish(content.bundle());
        }
      } finally {
        // If the bundle cannot be published, the certificate must still not expire.
        renew(stored, content);
      }
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
        throw e;
      }
      logger.debug("Secret {}: another replica was first", name);
    }
  }

  private void renew(@Nullable Secret stored, StoredCertificates content) {
    var plan = renewal.plan(content, loaded().orElse(null), isTrusted(content.bundle()));
    if (!plan.reasons().isEmpty()) {
      requireSynchronizedClocks();
      write(stored, plan.content());
      var what = stored == null ? "created" : "replaced";
      logger.info("Secret {}/{}: {}: {}", namespace, name, what, String.join("; ", plan.reasons()));
    }
  }

  private static boolean isOurs(Secret secret) {
    var labels = Objects.requireNonNullElse(secret.getMetadata().getLabels(), Map.of());
    return LABEL_VALUE.equals(labels.get(LABEL));
  }

  /** Returns the stored certificates; none if the Secret is missing or empty. */
  private static StoredCertificates content(@Nullable Secret secret) {
    return secret == null || secret.getData() == null
        ? StoredCertificates.NONE
        : StoredCertificates.read(
            part ->
                new String(
                    Base64.getDecoder().decode(secret.getData().getOrDefault(part, "")),
                    StandardCharsets.UTF_8));
  }

  /** Creates the Secret or replaces its content. Conflict if it was changed since it was read. */
  private void write(@Nullable Secret read, StoredCertificates content) {
    var builder =
        read == null
            ? new SecretBuilder()
                .withNewMetadata()
                .withName(name)
                .addToLabels(LABEL, LABEL_VALUE)
                .endMetadata()
            : new SecretBuilder(read);
    // The API server keeps other keys of the Secret.
    var next =
        client
            .secrets()
            .inNamespace(namespace)
            .resource(builder.withStringData(content.parts()).build());
    var _ = read == null ? next.create() : next.update();
  }

  /** Each API server sees a bundle through its own watch, so it is trusted after a delay. */
  private boolean isTrusted(String bundle) {
    var isPublished = configurations.isPublished(bundle);
    var now = timing.clock().instant();
    // If the clock was set back, start the delay again: otherwise it would be too long.
    if (!isPublished || !bundle.equals(publishedBundle) || now.isBefore(publishedSince)) {
      publishedBundle = isPublished ? bundle : "";
      publishedSince = now;
    }
    return isPublished && !now.isBefore(publishedSince.plus(timing.propagation()));
  }

  /** Fails if the clocks differ: an old certificate is better than one with wrong times. */
  private void requireSynchronizedClocks() {
    var difference = Duration.between(timing.apiServerClock().instant(), timing.clock().instant());
    if (difference.abs().compareTo(CLOCK_TOLERANCE) > 0) {
      throw new IllegalStateException(
          "no certificate is created or renewed: the clocks of this node and of the API server differ by more than %d minutes; correct the node's clock"
              .formatted(CLOCK_TOLERANCE.toMinutes()));
    }
  }
}
