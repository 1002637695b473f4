package dev.shipshape.janitor.session;

import static dev.shipshape.service.Section.written;

import dev.shipshape.service.ApiConnection;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Detects where the sessions are, at each list, because an upgrade of CFS moves them and may leave
 * the custom resources behind. A {@link SessionList} stays bound to its store.
 */
public final class SessionDetector {
  private static final Logger logger = LoggerFactory.getLogger(SessionDetector.class);

  private final KubernetesClient client;
  private final RestService service;
  private final Source configured;
  private final String namespace;

  /** Whether the service had sessions: then what is left behind must not be taken for them. */
  private volatile boolean hasAnswered;

  private volatile boolean hasWarned;

  public SessionDetector(
      KubernetesClient client, RestService service, Source configured, String namespace) {
    this.client = client;
    this.service = service;
    this.configured = configured;
    this.namespace = namespace;
  }

  /**
   * Lists every session.
   *
   * @throws KubernetesClientException if they are not found, or cannot be listed
   */
  public SessionList list() {
    return detect().list();
  }

  /**
   * Requires {@code sessions.source} if ambiguous: a guess could delete another system's sessions.
   */
  private SessionStore detect() {
    var mayBeResources = configured == Source.AUTO || configured == Source.CUSTOM_RESOURCES;
    if (mayBeResources && hasCustomResources()) {
      if (configured == Source.AUTO && hasService()) {
        throw mismatch(
            "it has both cfsessions.cms.cray.com and a CFS service; set custom-resources, rest-v3"
                + " or rest-v2, and delete the objects that an older CFS has left");
      }
      return new CustomResourceStore(client, namespace);
    }
    if (configured == Source.CUSTOM_RESOURCES) {
      throw mismatch("it has no custom resource cfsessions.cms.cray.com");
    }
    var version = version();
    if (version.isEmpty()) {
      throw mismatch(
          (mayBeResources ? "no custom resource cfsessions.cms.cray.com, and " : "")
              + "the CFS service (sessions.rest.address) answers 404 to v3 and v2");
    }
    var source = version.get() == RestVersion.V3 ? Source.REST_V3 : Source.REST_V2;
    if (configured != Source.AUTO && configured != source) {
      throw mismatch(written(source) + " was found");
    }
    return new RestStore(client, service, version.get(), namespace);
  }

  private Optional<RestVersion> version() {
    var version = service.version();
    hasAnswered |= version.isPresent();
    return version;
  }

  private boolean hasService() {
    try {
      if (version().isPresent()) {
        return true;
      }
      if (hasAnswered) {
        throw mismatch(
            "the CFS service had the sessions, and now answers 404 to v3 and v2; if they have moved"
                + " to cfsessions.cms.cray.com for good, set custom-resources");
      }
      return false;
    } catch (KubernetesClientException e) {
      if (hasAnswered) {
        throw e;
      }
      if (!hasWarned) {
        hasWarned = true;
        logger.warn(
            "sessions: could not check whether the CFS service has sessions too: {}",
            e.getMessage());
      }
      return false;
    }
  }

  private boolean hasCustomResources() {
    return ApiConnection.serves(client, "cms.cray.com/v1", "cfsessions");
  }

  private KubernetesClientException mismatch(String reason) {
    return new KubernetesClientException(
        "sessions.source %s does not match this cluster: %s"
            .formatted(written(configured), reason));
  }
}
