package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.LargeObjects;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalid;
import java.io.IOException;
import java.time.InstantSource;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Feeds the objects of the guards into the index. Keeps only hashes and outcomes. */
public final class ObjectFeed {
  private final KnownInvalid known;
  private final Revisions revisions;
  private final InstantSource clock;

  public ObjectFeed(KnownInvalid known, Revisions revisions, InstantSource clock) {
    this.known = known;
    this.revisions = revisions;
    this.clock = clock;
  }

  /** Adds or updates an object, and returns its entry. Hashes it before taking the lock. */
  public IndexedObject update(Guard guard, JsonNode object) {
    var content = ObjectIndexer.Content.of(guard, object);
    var uid = object.path("metadata").path("uid").asText();
    var key = ObjectIndexer.key(object);
    synchronized (this) {
      var before = last(guard, key);
      if (before != null && !before.uid().equals(uid)) {
        // Created again while the watch was lost: the reports are of the deleted object.
        delete(guard, key);
        before = null;
      }
      var reported = ObjectIndexer.index(guard, object, before, content, clock.instant());
      var entry = revisions.judge(guard, object, reported);
      known.put(guard, entry, content.json());
      revisions.recordReport(guard, object, reported).forEach(this::put);
      return entry;
    }
  }

  private @Nullable IndexedObject last(Guard guard, String key) {
    var reported = revisions.lastReported(guard, key);
    return reported != null ? reported : known.find(guard, key);
  }

  /** Removes an object. */
  public synchronized void delete(Guard guard, String key) {
    known.remove(guard, key);
    revisions.delete(guard, key).forEach(this::put);
  }

  /** Called often: changes of node readiness and complete lists send no event. */
  public synchronized void refresh() {
    revisions.refresh().forEach(this::put);
  }

  private void put(Revisions.ChangedVerdict revision) {
    known.put(revision.guard(), revision.object(), null);
  }

  /** The handler for the objects of one guard. */
  public Reflector.Handler handler(Guard guard) {
    return new Reflector.Handler() {
      // If an object exceeds the limits, its previous entry stays. Writes of its content are
      // refused, because reviews have the same limits.
      @Override
      public void put(BoundedObject object) throws IOException {
        var _ = LargeObjects.oneAtATime(object.json().length, () -> update(guard, object.tree()));
      }

      @Override
      public void remove(String key, String uid) {
        delete(guard, key);
      }

      @Override
      public Stream<String> keys() {
        return known.keys(guard).stream();
      }
    };
  }
}
