package dev.shipshape.webhook.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.service.GuardedDelete;
import dev.shipshape.webhook.store.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.store.KnownInvalidConfiguration.Stored;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
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

  private static final String API_VERSION = "shipshape.dev/v1alpha1";
  private static final String KIND = "KnownInvalidConfiguration";
  private static final int LONGEST_TEXT = 1024;
  private static final int NAMED_NODES = 3;
  private static final JsonMapper MAPPER = new JsonMapper();

  private static final ResourceDefinitionContext CONTEXT =
      new ResourceDefinitionContext.Builder()
          .withGroup("shipshape.dev")
          .withVersion("v1alpha1")
          .withPlural("knowninvalidconfigurations")
          .withKind(KIND)
          .withNamespaced(false)
          .build();

  private final KubernetesClient client;

  /** Asks nothing yet. */
  public KnownInvalidClient(KubernetesClient client) {
    this.client = client;
  }

  /** All of them as they are stored, in the order of their names. */
  public List<JsonNode> list() {
    return client.genericKubernetesResources(CONTEXT).list().getItems().stream()
        .map(MAPPER::<JsonNode>valueToTree)
        .toList();
  }

  /**
   * Clears a configuration, which need not be known: no status that was written before counts.
   *
   * @param fieldManager who does it; not the webhook's own
   */
  public void clear(ConfigurationKey key, String fieldManager) {
    var wanted = object(key, null);
    wanted.withObject("/spec").put("verdict", Verdict.CLEARED.toString());
    apply(wanted, fieldManager);
  }

  /**
   * Says that a configuration is invalid.
   *
   * @param content the normalised configuration, JSON; null to leave it out
   * @param fieldManager who does it
   */
  public void remember(
      KnownInvalidConfiguration known, @Nullable String content, String fieldManager) {
    var wanted = object(known.key(), null);
    wanted.set("spec", spec(known, null, content));
    apply(wanted, fieldManager);
  }

  private void apply(ObjectNode wanted, String fieldManager) {
    client
        .genericKubernetesResources(CONTEXT)
        .resource(MAPPER.convertValue(wanted, GenericKubernetesResource.class))
        .fieldManager(fieldManager)
        .forceConflicts()
        .serverSideApply();
  }

  @Nullable KnownInvalidConfiguration read(ConfigurationKey key) {
    var found = at(key).get();
    return found == null ? null : KnownInvalidConfiguration.of(MAPPER.valueToTree(found));
  }

  /** Writes what is not stored yet; a conflict if it is. */
  KnownInvalidConfiguration create(KnownInvalidConfiguration next, @Nullable String content) {
    var object = object(next.key(), null);
    object.set("spec", spec(next, null, content));
    object.set("status", status(next));
    var path = PATH + "?fieldManager=" + KnownInvalidConfiguration.FIELD_MANAGER;
    return KnownInvalidConfiguration.of(json(client.raw(path, "POST", object)));
  }

  /** Writes what has changed; a conflict if somebody else has written since. */
  KnownInvalidConfiguration update(
      KnownInvalidConfiguration before, KnownInvalidConfiguration next, @Nullable String content) {
    var patch = object(next.key(), before.stored());
    patch.set("spec", spec(next, before, content));
    patch.set("status", status(next));
    var context =
        new PatchContext.Builder()
            .withPatchType(PatchType.JSON_MERGE)
            .withFieldManager(KnownInvalidConfiguration.FIELD_MANAGER)
            .build();
    var written = at(next.key()).patch(context, patch.toString());
    return KnownInvalidConfiguration.of(MAPPER.valueToTree(written));
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
    return client.genericKubernetesResources(CONTEXT).withName(key.objectName());
  }

  private static ObjectNode object(ConfigurationKey key, @Nullable Stored stored) {
    var object = MAPPER.createObjectNode().put("apiVersion", API_VERSION).put("kind", KIND);
    var metadata = object.putObject("metadata").put("name", key.objectName());
    if (stored != null) {
      metadata.put("uid", stored.uid()).put("resourceVersion", stored.resourceVersion());
    }
    var spec =
        object.putObject("spec").put("guard", key.guard()).put("hash", key.hash().toString());
    if (!key.namespace().isEmpty()) {
      spec.put("namespace", key.namespace());
    }
    return object;
  }

  /**
   * The specification; as a merge patch if there was one.
   *
   * @param before null if there was none
   */
  private static ObjectNode spec(
      KnownInvalidConfiguration next,
      @Nullable KnownInvalidConfiguration before,
      @Nullable String content) {
    var spec = (ObjectNode) object(next.key(), null).path("spec");
    spec.put("verdict", next.verdict().toString())
        .put("reason", cut(next.reason()))
        .put("holdsSecrets", next.holdsSecrets());
    var source = spec.putObject("source");
    source.put("kind", next.source().kind()).put("name", next.source().name());
    if (!next.source().uid().isEmpty()) {
      source.put("uid", next.source().uid());
    }
    var known = before == null ? Map.<String, Failure>of() : before.failures();
    var failures = spec.putObject("failures");
    known.keySet().stream()
        .filter(node -> !next.failures().containsKey(node))
        .forEach(failures::putNull);
    next.failures()
        .forEach(
            (node, failure) -> {
              if (!failure.equals(known.get(node))) {
                failures
                    .putObject(node)
                    .put("failedAt", failure.failedAt().toString())
                    .put("message", cut(failure.message()))
                    .put("writer", cut(failure.writer()));
              }
            });
    if (content != null) {
      spec.set("content", json(content));
    }
    return spec;
  }

  private static JsonNode json(@Nullable String text) {
    try {
      return MAPPER.readTree(text == null ? "" : text);
    } catch (JsonProcessingException e) {
      throw new KubernetesClientException("not JSON: " + e.getOriginalMessage(), e);
    }
  }

  /** What {@code kubectl get} cannot compute. */
  private static ObjectNode status(KnownInvalidConfiguration known) {
    var nodes = known.nodes();
    var named = String.join(", ", nodes.subList(0, Math.min(NAMED_NODES, nodes.size())));
    return MAPPER
        .createObjectNode()
        .put(
            "nodes",
            nodes.size() <= NAMED_NODES
                ? named
                : "%s and %d more".formatted(named, nodes.size() - NAMED_NODES));
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT - 3) + "...";
  }
}
