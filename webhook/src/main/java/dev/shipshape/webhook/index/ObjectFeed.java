package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.LargeObjects;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalid;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Feeds the objects of the guards into the index. Keeps only hashes and outcomes. */
public final class ObjectFeed {
  private static final Logger logger = LoggerFactory.getLogger(ObjectFeed.class);

  private final KnownInvalid known;
  private final Revisions revisions;
  private final Set<String> listed = ConcurrentHashMap.newKeySet();

  public ObjectFeed(KnownInvalid known, Revisions revisions) {
    this.known = known;
    this.revisions = revisions;
  }

  /**
   * Adds or updates an object. Hashes it before taking the lock.
   *
   * @return the index entry
   */
  public IndexedObject seen(Guard guard, JsonNode object) {
    var content = ObjectIndexer.Content.of(guard, object);
    var uid = object.path("metadata").path("uid").asText();
    synchronized (this) {
      var before = revisions.lastSaid(guard, ObjectIndexer.key(object));
      var said =
          ObjectIndexer.of(
              guard,
              object,
              before != null ? before : known.find(guard, ObjectIndexer.key(object)),
              content);
      var judged = revisions.judge(guard, object, said);
      known.put(guard, judged, uid, content.json());
      revisions.report(guard, object, said).forEach(this::put);
      if (said.says(ConfigStatus.INVALID)) {
        revisions
            .failures(guard, said)
            .forEach(each -> known.addFailure(each.guard(), each.object(), each.uid()));
      }
      return judged;
    }
  }

  /** Removes an object. */
  public synchronized void gone(Guard guard, String key) {
    known.remove(guard, key);
    revisions.gone(guard, key).forEach(this::put);
  }

  /**
   * Called often: updates verdicts after changes of node readiness and after complete lists, which
   * send no event.
   */
  public synchronized void refresh() {
    revisions.refresh().forEach(this::put);
  }

  private void put(Revisions.Judged revision) {
    known.put(revision.guard(), revision.object(), revision.uid(), null);
  }

  /** The handler for the objects of one guard. */
  public Reflector.Sink of(Guard guard) {
    return new Reflector.Sink() {
      // If an object exceeds the limits, its previous entry stays. Writes of its current content
      // are
      // refused, because reviews have the same limits.
      @Override
      public void put(BoundedObject object) throws IOException {
        var _ = LargeObjects.inTurn(object.json().length, () -> seen(guard, object.tree()));
      }

      @Override
      public void remove(String key, String uid) {
        gone(guard, key);
      }

      @Override
      public void listed() {
        if (listed.add(guard.name())) {
          logger.info(
              "index: {}: {} objects listed, {} configurations are known invalid",
              guard.name(),
              known.keys(guard).size(),
              known.count(guard, false));
        }
      }

      @Override
      public Stream<String> keys() {
        return known.keys(guard).stream();
      }
    };
  }
}
