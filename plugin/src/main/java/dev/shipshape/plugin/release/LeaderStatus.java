package dev.shipshape.plugin.release;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.shipshape.janitor.JanitorStatus;
import dev.shipshape.janitor.ReportJson;
import dev.shipshape.janitor.kubernetes.ApiErrors;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
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
   * @throws StartFailure if the release has no janitor
   */
  public static LeaderStatus of(KubernetesClient client, HelmRelease release) {
    var objects = new ReleaseObjects(client, release);
    if (!objects.settings().hasJanitor()) {
      throw new StartFailure(
          "there is no janitor of release %s: give the name of its release, and its namespace by -n"
              .formatted(release));
    }
    return of(objects);
  }

  static LeaderStatus of(ReleaseObjects objects) {
    return new LeaderStatus(leader(objects), published(objects));
  }

  /** Who leads; in its place, why that is not known: the ClusterRole view cannot read Leases. */
  static @Nullable String leader(ReleaseObjects objects) {
    try {
      return objects.janitorLeader().orElse(null);
    } catch (KubernetesClientException e) {
      if (e.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw e;
      }
      return "not known: " + ApiErrors.reason(e);
    }
  }

  static @Nullable JanitorStatus published(ReleaseObjects objects) {
    var text = objects.configMapText(JanitorStatus.CONFIG_MAP, JanitorStatus.KEY);
    try {
      return text.isEmpty() ? null : ReportJson.MAPPER.readValue(text.get(), JanitorStatus.class);
    } catch (JsonProcessingException e) {
      throw new StartFailure(
          "ConfigMap %s cannot be read: is this plugin of another version than the release? %s"
              .formatted(JanitorStatus.CONFIG_MAP, e.getOriginalMessage()),
          e);
    }
  }
}
