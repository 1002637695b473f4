package dev.shipshape.plugin.release;

import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.shipshape.janitor.Janitor;
import dev.shipshape.janitor.JanitorStatus;
import dev.shipshape.janitor.ReportJson;
import dev.shipshape.service.ApiErrors;
import dev.shipshape.service.ServerClock;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The status that the leading janitor of a release published.
 *
 * @param leader the present leader; null if none leads, and then the status is of the last one, or
 *     if it is not known
 * @param leaderProblem why it is not known; null if it is
 * @param status null if nothing was published yet
 */
public record LeaderStatus(
    @Nullable String leader, @Nullable String leaderProblem, @Nullable JanitorStatus status) {

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
    var leader = Leader.of(client, namespace);
    return new LeaderStatus(leader.name(), leader.problem(), published(client, namespace));
  }

  /** The leading janitor: its pod, and since when it leads, or why that is not known. */
  record Leader(@Nullable String name, @Nullable Instant since, @Nullable String problem) {
    private static final Leader NONE = new Leader(null, null, null);

    boolean isNone() {
      return equals(NONE);
    }

    /** A Lease keeps the name of a holder that is gone: it counts until the Lease expires. */
    static Leader of(KubernetesClient client, String namespace) {
      try {
        var lease = client.leases().inNamespace(namespace).withName(Janitor.LEASE).get();
        var spec = lease == null || lease.getSpec() == null ? new LeaseSpec() : lease.getSpec();
        var renewed = spec.getRenewTime();
        var seconds = spec.getLeaseDurationSeconds();
        if (requireNonNullElse(spec.getHolderIdentity(), "").isEmpty()
            || renewed == null
            || seconds == null
            || !ServerClock.read(client).isBefore(renewed.toInstant().plusSeconds(seconds))) {
          return NONE;
        }
        var acquired = spec.getAcquireTime();
        return new Leader(
            spec.getHolderIdentity(), acquired == null ? null : acquired.toInstant(), null);
      } catch (KubernetesClientException e) {
        // The ClusterRole view cannot read Leases.
        if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
          throw e;
        }
        return new Leader(null, null, "not known: " + ApiErrors.reason(e));
      }
    }
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
