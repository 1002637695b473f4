package dev.shipshape.webhook.index;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/**
 * A second watch beside a long one, over before long and not on its connection. Where it brings
 * nothing, the long one has missed nothing, however long that has been silent.
 */
final class WatchLivenessCheck {
  private static final int SECONDS = 1;

  private final KubernetesClient client;
  private final String path;

  /**
   * @param path of what is watched, with a query where it is not all of it
   */
  WatchLivenessCheck(KubernetesClient client, String path) {
    this.client = client;
    this.path = path;
  }

  /**
   * Whether the API server knows of nothing since this version; not so where it no longer knows.
   * Waits for it, about a second.
   *
   * @throws KubernetesClientException where it does not answer
   */
  boolean bringsNothingSince(String version) {
    var query = "watch=true&resourceVersion=%s&timeoutSeconds=%d".formatted(version, SECONDS);
    try {
      var events = client.raw(path + (path.contains("?") ? "&" : "?") + query, "GET", null);
      return events == null || events.isBlank();
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_GONE) {
        return false;
      }
      throw e;
    }
  }
}
