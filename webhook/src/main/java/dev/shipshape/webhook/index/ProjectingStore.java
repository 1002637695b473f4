package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.LargeObjects;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
  private final Revisions revisions;
  private final List<Listener> onlookers;
  private boolean listed;

  ProjectingStore(
      Guard guard, KnownInvalidIndex index, Revisions revisions, List<Listener> onlookers) {
    this.guard = guard;
    this.index = index;
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
      LargeObjects.inTurn(object.json().length, () -> take(object));
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
    var json = object.tree();
    var said = revisions.said(guard, object.key());
    var before = index.find(object.key());
    var known =
        revisions.judge(guard, json, ObjectIndexer.of(guard, json, said != null ? said : before));
    log(before, known, object.uid());
    index.put(known);
    onlookers.forEach(onlooker -> onlooker.seen(guard, json, known));
    return json;
  }

  /** What is known besides of a revision has changed. */
  private synchronized void judgeAnew(String key) {
    var before = index.find(key);
    var judged = revisions.judgedAnew(guard, key);
    if (before != null && judged != null && !judged.object().equals(before)) {
      log(before, judged.object(), judged.uid());
      index.put(judged.object());
      onlookers.forEach(onlooker -> onlooker.judged(guard, judged.object(), judged.uid()));
    }
  }

  @Override
  public synchronized void remove(String key, String uid) {
    log(index.find(key), null, uid);
    index.remove(key);
    revisions.gone(guard, key);
    onlookers.forEach(onlooker -> onlooker.gone(guard, key));
  }

  @Override
  public synchronized void listed() {
    if (!listed) {
      logger.info(
          "index: {}: {} objects listed, {} configurations are known invalid",
          guard.name(),
          index.size(),
          index.invalidSize());
    }
    listed = true;
  }

  /** One line for what begins or ceases to be known; what is there at the start is counted. */
  private void log(@Nullable IndexedObject before, @Nullable IndexedObject now, String uid) {
    var was = what(before);
    var is = what(now);
    if (!listed || guard.stampsOnly() || was.equals(is)) {
      return;
    }
    if (now != null && !is.isEmpty()) {
      logger.info(
          "index: {} {} (uid {}) {}: {}",
          guard.name(),
          now.key(),
          uid,
          is,
          text(now.story().why()));
    } else if (before != null) {
      logger.info("index: {} {} (uid {}) no longer {}", guard.name(), before.key(), uid, was);
    }
  }

  /** What is known by an object; empty for nothing. */
  private static String what(@Nullable IndexedObject object) {
    return object == null || !object.isTold()
        ? ""
        : (object.suspected() ? "suspected " : "known invalid ") + object.hash();
  }

  /** What others wrote must not make lines of its own in the log. */
  private static String text(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  @Override
  public Stream<String> keys() {
    return index.keys();
  }
}
