package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.HeapShare;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes each object as the reflector meets it, hashes it and lets it go. So where all is listed the
 * index is complete.
 */
final class ProjectingStore implements Reflector.Sink {
  private static final Logger logger = LoggerFactory.getLogger(ProjectingStore.class);

  private final Guard guard;
  private final KnownInvalidIndex index;
  private final IndexLog journal;
  private final Revisions revisions;
  private final List<Listener> onlookers;

  ProjectingStore(
      Guard guard,
      KnownInvalidIndex index,
      IndexLog journal,
      Revisions revisions,
      List<Listener> onlookers) {
    this.guard = guard;
    this.index = index;
    this.journal = journal;
    this.revisions = revisions;
    this.onlookers = List.copyOf(onlookers);
    revisions.judgeAnewBy(guard, this::judgeAnew);
  }

  /**
   * Of an object that cannot be judged, what was known last goes on to count; what it holds now is
   * refused wherever it is written, by the same bounds.
   *
   * <p>Not within the monitor: who waits for a share of the heap holds up nobody that has one.
   */
  @Override
  public void put(WireObject object) {
    try {
      HeapShare.using(object.json().length, object.tokens(), () -> take(object));
    } catch (IOException | RuntimeException e) {
      // One object, whatever it is, must not keep the others from being seen.
      logger.warn(
          "index: cannot judge {} {} (uid {}), and leaves it as it was known: {}",
          guard.name(),
          object.key(),
          object.uid(),
          e.getMessage());
    }
  }

  private synchronized JsonNode take(WireObject object) throws IOException {
    var content = object.content(guard.identity());
    var json = object.tree();
    var said = revisions.said(guard, object.key());
    var before = index.find(object.key());
    var known =
        revisions.judge(
            guard,
            json,
            ObjectIndexer.of(
                guard, json, said != null ? said : before, content.hash(), content.holdsSecrets()));
    journal.seen(before, known, object.uid());
    index.put(known);
    onlookers.forEach(onlooker -> onlooker.seen(guard, json, known));
    return json;
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
  public synchronized void remove(String key, String uid) {
    journal.gone(index.find(key), uid);
    index.remove(key);
    revisions.gone(guard, key);
    onlookers.forEach(onlooker -> onlooker.gone(guard, key));
  }

  @Override
  public Stream<String> keys() {
    return index.keys();
  }
}
