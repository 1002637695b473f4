package dev.shipshape.janitor.session;

import static dev.shipshape.service.Section.written;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sessions wherever they are. That is determined when they are listed first, and again after a list
 * has failed, for an upgrade of CFS moves them. A list is bound to the store that it came from.
 */
public final class SessionDetector {
  private static final Logger logger = LoggerFactory.getLogger(SessionDetector.class);

  private final KubernetesClient client;
  private final RestService service;
  private final Source wanted;
  private final String namespace;
  private volatile @Nullable SessionStore found;

  /**
   * @param wanted where the settings say that sessions are
   */
  public SessionDetector(
      KubernetesClient client, RestService service, Source wanted, String namespace) {
    this.client = client;
    this.service = service;
    this.wanted = wanted;
    this.namespace = namespace;
  }

  /**
   * Lists every session.
   *
   * @throws KubernetesClientException if they are not found, or cannot be listed
   */
  public SessionList list() {
    try {
      return found().list();
    } catch (KubernetesClientException e) {
      found = null;
      throw e;
    }
  }

  private SessionStore found() {
    var known = found;
    if (known == null) {
      known = detect();
      found = known;
    }
    return known;
  }

  /**
   * If detection is ambiguous, {@code sessions.source} is required: guessing could delete another
   * system's sessions.
   */
  private SessionStore detect() {
    var mayBeResources = wanted == Source.AUTO || wanted == Source.CUSTOM_RESOURCES;
    if (mayBeResources && hasCustomResources()) {
      if (wanted == Source.AUTO && isServiceThere()) {
        throw unsuitable(
            "it has both cfsessions.cms.cray.com and a CFS service; set custom-resources, rest-v3"
                + " or rest-v2, and delete what an older CFS has left behind");
      }
      logger.info("sessions: found as custom-resources");
      return new CustomResourceStore(client, namespace);
    }
    if (wanted == Source.CUSTOM_RESOURCES) {
      throw unsuitable("it has no custom resource cfsessions.cms.cray.com");
    }
    var version = service.version();
    if (version.isEmpty()) {
      throw unsuitable(
          (mayBeResources ? "no custom resource cfsessions.cms.cray.com, and " : "")
              + "the CFS service (sessions.rest.address) answers 404 to v3 and v2");
    }
    var source = version.get() == RestVersion.V3 ? Source.REST_V3 : Source.REST_V2;
    if (wanted != Source.AUTO && wanted != source) {
      throw unsuitable(written(source) + " was found");
    }
    logger.info("sessions: found as {}", written(source));
    return new RestStore(service, version.get(), namespace);
  }

  private boolean isServiceThere() {
    try {
      return service.version().isPresent();
    } catch (KubernetesClientException e) {
      logger.warn(
          "sessions: could not ask whether the CFS service has sessions too: {}", e.getMessage());
      return false;
    }
  }

  private boolean hasCustomResources() {
    try {
      var group = client.getApiResources("cms.cray.com/v1");
      return group != null
          && group.getResources().stream().anyMatch(each -> each.getName().equals("cfsessions"));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
        return false;
      }
      throw e;
    }
  }

  private KubernetesClientException unsuitable(String why) {
    return new KubernetesClientException(
        "sessions.source %s does not match this cluster: %s".formatted(written(wanted), why));
  }
}
