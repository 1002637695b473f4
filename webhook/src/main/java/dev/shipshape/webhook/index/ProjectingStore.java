package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.shipshape.webhook.guard.Guard;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes each object as the informer meets it, hashes it and lets it go. So an informer that has
 * synced has an index that is complete.
 */
final class ProjectingStore implements ItemStore<GenericKubernetesResource> {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Guard guard;
  private final KnownInvalidIndex index;
  private final IndexJournal journal;
  private final Revisions revisions;
  private final List<Onlooker> onlookers;
  private volatile Met met = new Met("", "");

  /** Who an object was. */
  private record Met(String key, String uid) {}

  ProjectingStore(
      Guard guard,
      KnownInvalidIndex index,
      IndexJournal journal,
      Revisions revisions,
      List<Onlooker> onlookers) {
    this.guard = guard;
    this.index = index;
    this.journal = journal;
    this.revisions = revisions;
    this.onlookers = List.copyOf(onlookers);
    revisions.judgeAnewBy(guard, this::judgeAnew);
  }

  /** Asked of an object right before it is taken out, by its key alone: so its uid is noted. */
  @Override
  public String getKey(GenericKubernetesResource object) {
    var key = Cache.metaNamespaceKeyFunc(object);
    var uid = object.getMetadata().getUid();
    met = new Met(key, uid == null ? "" : uid);
    return key;
  }

  /** Gives nothing back: what was there before is not kept, and nobody listens for changes. */
  @Override
  public synchronized @Nullable GenericKubernetesResource put(
      String key, GenericKubernetesResource object) {
    JsonNode json = MAPPER.valueToTree(object);
    var before = index.find(key);
    var said = revisions.said(guard, key);
    var known =
        revisions.judge(guard, json, Projection.of(guard, json, said != null ? said : before));
    journal.seen(before, known, json.path("metadata").path("uid").asText());
    index.put(known);
    onlookers.forEach(onlooker -> onlooker.seen(guard, json, known));
    return null;
  }

  /** What is known besides of a revision has changed. */
  private synchronized void judgeAnew(String key) {
    var before = index.find(key);
    var judged = revisions.judgedAnew(guard, key);
    if (before != null && judged != null && !judged.object().equals(before)) {
      journal.seen(before, judged.object(), judged.uid());
      index.put(judged.object());
      onlookers.forEach(onlooker -> onlooker.judged(guard, judged.object(), judged.uid()));
    }
  }

  @Override
  public synchronized @Nullable GenericKubernetesResource remove(String key) {
    var last = met;
    journal.gone(index.find(key), last.key().equals(key) ? last.uid() : "");
    index.remove(key);
    revisions.gone(guard, key);
    onlookers.forEach(onlooker -> onlooker.gone(guard, key));
    return null;
  }

  @Override
  public Stream<String> keySet() {
    return index.keys();
  }

  /** Objects with nothing but their names, from which the informer sees what is gone. */
  @Override
  public Stream<GenericKubernetesResource> values() {
    return index.keys().map(ProjectingStore::named);
  }

  @Override
  public @Nullable GenericKubernetesResource get(String key) {
    return index.contains(key) ? named(key) : null;
  }

  @Override
  public int size() {
    return index.size();
  }

  @Override
  public boolean isFullState() {
    return false;
  }

  private static GenericKubernetesResource named(String key) {
    var slash = key.indexOf('/');
    var object = new GenericKubernetesResource();
    object.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(slash < 0 ? null : key.substring(0, slash))
            .withName(key.substring(slash + 1))
            .build());
    return object;
  }
}
