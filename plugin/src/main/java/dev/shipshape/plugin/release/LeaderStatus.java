package dev.shipshape.plugin.release;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.shipshape.janitor.JanitorStatus;
import dev.shipshape.janitor.ReportJson;
import dev.shipshape.service.StartFailure;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.jspecify.annotations.Nullable;

/**
 * The status that the leading janitor of a release published.
 *
 * @param leader the present leader; null if there is none: then the status is of the last one
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
    var leader = objects.janitorLeader().orElse(null);
    var text = objects.configMapText(JanitorStatus.CONFIG_MAP, JanitorStatus.KEY);
    try {
      return new LeaderStatus(
          leader,
          text.isEmpty() ? null : ReportJson.MAPPER.readValue(text.get(), JanitorStatus.class));
    } catch (JsonProcessingException e) {
      throw new StartFailure(
          "ConfigMap %s cannot be read: is this plugin of another version than the release? %s"
              .formatted(JanitorStatus.CONFIG_MAP, e.getOriginalMessage()),
          e);
    }
  }
}
