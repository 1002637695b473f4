package dev.shipshape.janitor;

import dev.shipshape.janitor.kubernetes.ApiErrors;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When a run by the schedule last ended, kept on the Lease: whoever leads next does a run that died
 * with its janitor.
 *
 * @param namespace the Lease's
 */
record LastRun(KubernetesClient client, String namespace) {
  private static final Logger logger = LoggerFactory.getLogger(LastRun.class);
  static final String ANNOTATION = "shipshape.dev/last-prune";

  /**
   * Empty where there was none yet.
   *
   * @throws KubernetesClientException where it cannot be read
   */
  Optional<Instant> read() {
    try {
      return Optional.ofNullable(
              client.leases().inNamespace(namespace).withName(Janitor.LEASE).get())
          .flatMap(lease -> Optional.ofNullable(lease.getMetadata().getAnnotations()))
          .flatMap(annotations -> Optional.ofNullable(annotations.get(ANNOTATION)))
          .map(Instant::parse);
    } catch (DateTimeException e) {
      logger.warn("prune: the Lease's annotation {} is no time: {}", ANNOTATION, e.getMessage());
    }
    return Optional.empty();
  }

  void write(Instant ended) {
    var patch = "{\"metadata\": {\"annotations\": {\"%s\": \"%s\"}}}".formatted(ANNOTATION, ended);
    try {
      client
          .leases()
          .inNamespace(namespace)
          .withName(Janitor.LEASE)
          .patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    } catch (KubernetesClientException e) {
      logger.warn(
          "prune: could not write the time of the last run to the Lease: {}", ApiErrors.reason(e));
    }
  }
}
