package dev.shipshape.plugin.release;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.JanitorStatus;
import dev.shipshape.janitor.ReportJson;
import dev.shipshape.service.ApiErrors;
import dev.shipshape.service.ServerClock;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The status that the leading janitor of a release published.
 *
 * @param leader the present leader, or why it is not known; null if there is none: then the status
 *     is of the last one
 * @param status null if nothing was published yet
 */
public record LeaderStatus(@Nullable String leader, @Nullable JanitorStatus status) {

  /**
   * Reads it from the cluster.
   *
   * @throws StartFailure if the namespace has no release with a janitor
   */
  public static LeaderStatus of(KubernetesClient client, String namespace) {
    if (!ReleaseSettings.hasJanitor(client, namespace)) {
      throw new StartFailure(
          "there is no release with a janitor in namespace %s%s: name its namespace by -n"
              .formatted(namespace, ReleaseSettings.elsewhere(client, ReleaseSettings.JANITOR)));
    }
    return new LeaderStatus(leader(client, namespace), published(client, namespace));
  }

  /** Who leads; in its place, why that is not known: the ClusterRole view cannot read Leases. */
  static @Nullable String leader(KubernetesClient client, String namespace) {
    try {
      return holder(client, namespace).orElse(null);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      return "not known: " + ApiErrors.reason(e);
    }
  }

  /** Since when it leads; empty if that is not known. */
  static Optional<Instant> since(KubernetesClient client, String namespace) {
    try {
      return lease(client, namespace).map(LeaseSpec::getAcquireTime).map(ZonedDateTime::toInstant);
    } catch (KubernetesClientException e) {
      // Whoever asks knows it by leader.
      return Optional.empty();
    }
  }

  /** A Lease keeps the name of a holder that is gone: it counts until the Lease expires. */
  private static Optional<String> holder(KubernetesClient client, String namespace) {
    var spec = lease(client, namespace).orElse(null);
    if (spec == null || spec.getRenewTime() == null || spec.getLeaseDurationSeconds() == null) {
      return Optional.empty();
    }
    var end = spec.getRenewTime().toInstant().plusSeconds(spec.getLeaseDurationSeconds());
    return Optional.ofNullable(spec.getHolderIdentity())
        .filter(holder -> !holder.isEmpty() && ServerClock.read(client).isBefore(end));
  }

  private static Optional<LeaseSpec> lease(KubernetesClient client, String namespace) {
    return Optional.ofNullable(client.leases().inNamespace(namespace).withName(Janitor.LEASE).get())
        .map(Lease::getSpec);
  }

  static @Nullable JanitorStatus published(KubernetesClient client, String namespace) {
    var found = client.configMaps().inNamespace(namespace).withName(JanitorStatus.CONFIG_MAP).get();
    var text = found == null ? null : found.getData().get(JanitorStatus.KEY);
    try {
      return text == null ? null : ReportJson.MAPPER.readValue(text, JanitorStatus.class);
    } catch (JsonProcessingException e) {
      throw new StartFailure(
          "ConfigMap %s cannot be read: is this plugin of another version than the release? %s"
              .formatted(JanitorStatus.CONFIG_MAP, e.getOriginalMessage()),
          e);
    }
  }
}
