package dev.shipshape.webhook.store;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.service.GuardedDelete;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The resource {@code knowninvalidconfigurations.shipshape.dev} at the API server. All of it throws
 * {@link io.fabric8.kubernetes.client.KubernetesClientException} if the API server refuses or
 * cannot be reached.
 */
public final class KnownInvalidClient {
  /** The resource, as RBAC and CustomResourceDefinitions name it. */
  public static final String RESOURCE = "knowninvalidconfigurations.shipshape.dev";

  /** Where the API server has them. */
  public static final String PATH = "/apis/shipshape.dev/v1alpha1/knowninvalidconfigurations";

  private static final PatchContext MERGE =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager(KnownInvalidResource.FIELD_MANAGER)
          .build();

  private final KubernetesClient client;

  /** Asks nothing yet. */
  public KnownInvalidClient(KubernetesClient client) {
    this.client = client;
  }

  /** All of them as they are stored, in the order of their names. */
  public List<KnownInvalidResource> list() {
    return client.resources(KnownInvalidResource.class).list().getItems();
  }

  /**
   * Clears a configuration, which need not be known: no status that was written before counts.
   *
   * @param fieldManager who does it; not the webhook's own
   */
  public void clear(ConfigurationKey key, String fieldManager) {
    apply(KnownInvalidResource.cleared(key), fieldManager);
  }

  /**
   * Says that a configuration is invalid.
   *
   * @param fieldManager who does it
   */
  public void remember(KnownInvalidConfiguration known, String fieldManager) {
    var wanted = KnownInvalidResource.of(known);
    wanted.setStatus(null);
    apply(wanted, fieldManager);
  }

  private void apply(KnownInvalidResource wanted, String fieldManager) {
    client.resource(wanted).fieldManager(fieldManager).forceConflicts().serverSideApply();
  }

  @Nullable KnownInvalidConfiguration read(ConfigurationKey key) {
    var found = at(key).get();
    return found == null ? null : found.known();
  }

  /** Writes what is not stored yet; a conflict if it is. */
  KnownInvalidConfiguration create(KnownInvalidConfiguration next) {
    // The library's own "create" names no field manager.
    var path = PATH + "?fieldManager=" + KnownInvalidResource.FIELD_MANAGER;
    var answer = client.raw(path, "POST", KnownInvalidResource.of(next));
    return client
        .getKubernetesSerialization()
        .unmarshal(answer, KnownInvalidResource.class)
        .known();
  }

  /**
   * Writes what has changed. Failures of nodes are written whoever has written since; a verdict
   * only if nobody has, and is a conflict otherwise.
   */
  KnownInvalidConfiguration patch(
      KnownInvalidConfiguration before, KnownInvalidConfiguration next) {
    var patch = KnownInvalidResource.of(next).json();
    var spec = (ObjectNode) patch.path("spec");
    var failures = (ObjectNode) spec.path("failures");
    before
        .failures()
        .forEach(
            (node, failure) -> {
              var now = next.failures().get(node);
              if (now == null) {
                failures.putNull(node);
              } else if (now.equals(failure)) {
                failures.remove(node);
              }
            });
    if (before.verdict() == next.verdict()) {
      spec.retain("failures");
    } else if (before.stored() != null) {
      patch
          .withObject("/metadata")
          .put("uid", before.stored().uid())
          .put("resourceVersion", before.stored().resourceVersion());
    }
    return at(next.key()).patch(MERGE, patch.toString()).known();
  }

  /** Adds to the writes that are counted. Of two that do so at once, one may be lost. */
  KnownInvalidConfiguration count(KnownInvalidConfiguration known, Attempts more) {
    var patch = KnownInvalidResource.counted(known.attempts().plus(more));
    return at(known.key()).patch(MERGE, patch.toString()).known();
  }

  /** Deletes it as it was read; a conflict if somebody else has written since. */
  void delete(KnownInvalidConfiguration known) {
    var stored = known.stored();
    if (stored == null) {
      return;
    }
    var _ =
        GuardedDelete.send(
            client, PATH + "/" + known.key().objectName(), stored.uid(), stored.resourceVersion());
  }

  private Resource<KnownInvalidResource> at(ConfigurationKey key) {
    return client.resources(KnownInvalidResource.class).withName(key.objectName());
  }
}
