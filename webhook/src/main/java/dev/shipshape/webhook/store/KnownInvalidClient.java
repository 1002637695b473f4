package dev.shipshape.webhook.store;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.service.ApiConnection;
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
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@code knowninvalidconfigurations.shipshape.dev}. All methods throw {@link
 * io.fabric8.kubernetes.client.KubernetesClientException} if the API server refuses or cannot be
 * reached.
 */
public final class KnownInvalidClient {
  public static final String RESOURCE = "knowninvalidconfigurations.shipshape.dev";

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

  private static final PatchContext MERGE = mergeBy(KnownInvalidResource.FIELD_MANAGER);

  /** Another manager than the verdict's: counts and failures must not date the verdict anew. */
  private static final PatchContext COUNT = mergeBy(KnownInvalidResource.FIELD_MANAGER + "-count");

  private final KubernetesClient client;

  public KnownInvalidClient(KubernetesClient client) {
    this.client = client;
  }

  private static PatchContext mergeBy(String fieldManager) {
    return new PatchContext.Builder()
        .withPatchType(PatchType.JSON_MERGE)
        .withFieldManager(fieldManager)
        .build();
  }

  /** Returns all, sorted by name. */
  public List<ObjectNode> list() {
    var list = client.genericKubernetesResources(DEFINITION).list();
    return ApiConnection.requireList(list, "could not list the KnownInvalidConfigurations")
        .getItems()
        .stream()
        .map(KnownInvalidClient::json)
        .toList();
  }

  private static ObjectNode json(GenericKubernetesResource resource) {
    return MAPPER.valueToTree(resource);
  }

  private static KnownInvalidConfiguration parse(GenericKubernetesResource resource) {
    return KnownInvalidResource.parse(json(resource));
  }

  /**
   * Clears a configuration, stored or not: older status reports do not count.
   *
   * @param fieldManager the client; not the webhook's own
   */
  public void clear(ConfigurationKey key, String fieldManager) {
    apply(KnownInvalidResource.cleared(key, Instant.now()), fieldManager);
  }

  /** Stores a configuration as invalid, by a field manager that is not the webhook's own. */
  public void declare(KnownInvalidConfiguration known, String fieldManager) {
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
    var found = resource(key).get();
    return found == null ? null : parse(found);
  }

  /** Creates one; conflict if it exists. */
  KnownInvalidConfiguration create(KnownInvalidConfiguration next) {
    // The create of the client library sets no field manager.
    var path = PATH + "?fieldManager=" + KnownInvalidResource.FIELD_MANAGER;
    var response = client.raw(path, "POST", KnownInvalidResource.of(next));
    return parse(
        client.getKubernetesSerialization().unmarshal(response, GenericKubernetesResource.class));
  }

  /** Patches failures unconditionally, a changed verdict by resourceVersion: it may conflict. */
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
      var isSame = before.source().equals(next.source());
      spec.retain(isSame ? List.of("failures") : List.of("failures", "source", "reason"));
      return parse(resource(next.key()).patch(COUNT, patch.toString()));
    }
    spec.putIfAbsent("clearedAt", NullNode.instance);
    if (before.stored() != null) {
      patch
          .withObject("/metadata")
          .put("uid", before.stored().uid())
          .put("resourceVersion", before.stored().resourceVersion());
    }
    return parse(resource(next.key()).patch(MERGE, patch.toString()));
  }

  /** Adds to the stored attempts. If two replicas do so at once, one addition may be lost. */
  KnownInvalidConfiguration addAttempts(KnownInvalidConfiguration known, Attempts more) {
    var patch = KnownInvalidResource.attemptsPatch(known.attempts().plus(more));
    return parse(resource(known.key()).patch(COUNT, patch.toString()));
  }

  /** Deletes one; conflict if it was changed since it was read. */
  void delete(KnownInvalidConfiguration known) {
    var stored = Objects.requireNonNull(known.stored());
    var _ =
        GuardedDelete.send(
            client, PATH + "/" + known.key().objectName(), stored.uid(), stored.resourceVersion());
  }

  private Resource<GenericKubernetesResource> resource(ConfigurationKey key) {
    return client.genericKubernetesResources(DEFINITION).withName(key.objectName());
  }
}
