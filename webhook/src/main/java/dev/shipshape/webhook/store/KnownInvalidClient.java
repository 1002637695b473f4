package dev.shipshape.webhook.store;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.service.GuardedDelete;
import dev.shipshape.webhook.known.ConfigurationKey;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
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

  private static final ResourceDefinitionContext DEFINITION =
      new ResourceDefinitionContext.Builder()
          .withGroup("shipshape.dev")
          .withVersion("v1alpha1")
          .withKind(KnownInvalidResource.KIND)
          .withPlural("knowninvalidconfigurations")
          .withNamespaced(false)
          .build();

  private static final JsonMapper MAPPER = new JsonMapper();

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
  public List<ObjectNode> list() {
    return client.genericKubernetesResources(DEFINITION).list().getItems().stream()
        .map(KnownInvalidClient::json)
        .toList();
  }

  private static ObjectNode json(GenericKubernetesResource resource) {
    return MAPPER.valueToTree(resource);
  }

  private static KnownInvalidConfiguration known(GenericKubernetesResource resource) {
    return KnownInvalidResource.known(json(resource));
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
    apply(KnownInvalidResource.of(known).without("status"), fieldManager);
  }

  private void apply(ObjectNode wanted, String fieldManager) {
    client
        .genericKubernetesResources(DEFINITION)
        .resource(MAPPER.convertValue(wanted, GenericKubernetesResource.class))
        .fieldManager(fieldManager)
        .forceConflicts()
        .serverSideApply();
  }

  @Nullable KnownInvalidConfiguration read(ConfigurationKey key) {
    var found = at(key).get();
    return found == null ? null : known(found);
  }

  /** Writes what is not stored yet; a conflict if it is. */
  KnownInvalidConfiguration create(KnownInvalidConfiguration next) {
    // The library's own "create" names no field manager.
    var path = PATH + "?fieldManager=" + KnownInvalidResource.FIELD_MANAGER;
    var answer = client.raw(path, "POST", KnownInvalidResource.of(next));
    return known(
        client.getKubernetesSerialization().unmarshal(answer, GenericKubernetesResource.class));
  }

  /**
   * Writes what has changed. Failures of nodes are written whoever has written since; a verdict
   * only if nobody has, and is a conflict otherwise.
   */
  KnownInvalidConfiguration patch(
      KnownInvalidConfiguration before, KnownInvalidConfiguration next) {
    var patch = KnownInvalidResource.of(next);
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
    return known(at(next.key()).patch(MERGE, patch.toString()));
  }

  /** Adds to the writes that are counted. Of two that do so at once, one may be lost. */
  KnownInvalidConfiguration count(KnownInvalidConfiguration known, Attempts more) {
    var patch = KnownInvalidResource.counted(known.attempts().plus(more));
    return known(at(known.key()).patch(MERGE, patch.toString()));
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

  private Resource<GenericKubernetesResource> at(ConfigurationKey key) {
    return client.genericKubernetesResources(DEFINITION).withName(key.objectName());
  }
}
