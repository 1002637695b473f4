package dev.shipshape.webhook.index;

import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells by log what becomes known invalid, and what no longer is, each with its reason. What is
 * there at the start is told in one line.
 */
final class IndexLog {
  private static final Logger logger = LoggerFactory.getLogger(IndexLog.class);

  private final Guard guard;
  private final KnownInvalidIndex index;
  private final Predicate<IndexedObject> refusedBefore;
  private volatile BooleanSupplier synced = () -> false;
  private boolean begun;

  IndexLog(Guard guard, KnownInvalidIndex index, Predicate<IndexedObject> refusedBefore) {
    this.guard = guard;
    this.index = index;
    this.refusedBefore = refusedBefore;
  }

  /**
   * Tells nothing before.
   *
   * @param complete whether everything that exists has been listed
   */
  void beginWhen(BooleanSupplier complete) {
    synced = complete;
  }

  /** To be called often. */
  synchronized void refresh() {
    if (!begun && synced.getAsBoolean()) {
      begun = true;
      logger.info(
          "index: {}: {} objects listed, {} configurations are known invalid",
          guard.name(),
          index.size(),
          index.invalidSize());
    }
  }

  /**
   * An object is there, or has changed. To be called before the index has it.
   *
   * @param before what was known of it; null where it was not known
   */
  synchronized void seen(@Nullable IndexedObject before, IndexedObject now, String uid) {
    refresh();
    var entry = before != null && before.isTold() ? before : null;
    var isSame =
        entry != null && entry.standing() == now.standing() && entry.hash().equals(now.hash());
    if (!begun || guard.stampsOnly() || (isSame && now.isTold())) {
      return;
    }
    if (entry != null && !(entry.suspected() && now.invalid())) {
      left(entry, uid, whyNoLonger(entry, now));
    }
    if (now.isTold()) {
      logger.info(
          "index: {} {} (uid {}) {} is {}",
          guard.name(),
          now.key(),
          uid,
          now.hash(),
          text(what(now)));
    }
  }

  /**
   * An object is gone. To be called before the index has lost it.
   *
   * @param uid empty where it is not told
   */
  synchronized void gone(@Nullable IndexedObject before, String uid) {
    refresh();
    if (begun && !guard.stampsOnly() && before != null && before.isTold()) {
      left(before, uid.isEmpty() ? "unknown" : uid, "the object is gone");
    }
  }

  private void left(IndexedObject before, String uid, String why) {
    logger.info(
        "index: {} {} (uid {}) {} is no longer {}: {}",
        guard.name(),
        before.key(),
        uid,
        before.hash(),
        before.suspected() ? "suspected" : "known invalid",
        why);
  }

  private String what(IndexedObject now) {
    if (refusedBefore.test(now)) {
      return "the record of a configuration that was refused here before: it never ran on "
          + now.role().node();
    }
    return now.suspected()
        ? "suspected, and only warned of: " + why(now)
        : "known invalid: " + why(now);
  }

  private String why(IndexedObject now) {
    return switch (now.role()) {
      case Role.InvalidRecord(var node) -> "it is the record of what failed on " + node;
      case Role.Current ignored -> {
        var said = String.valueOf(guard.signs().invalidWhen());
        var why = now.story().why();
        yield why.isEmpty() || why.startsWith(said)
            ? why.isEmpty() ? said : why
            : said + ": " + why;
      }
      case Role.Backup ignored -> "it is a record of what worked";
    };
  }

  private static String whyNoLonger(IndexedObject before, IndexedObject now) {
    if (!before.hash().equals(now.hash())) {
      return "the object has another configuration";
    }
    return before.role() instanceof Role.InvalidRecord
        ? "it is no record any more"
        : now.standing() == ConfigStatus.PROVISIONED
            ? "its status says that it is provisioned"
            : "its status no longer says so";
  }

  /** What others wrote must not make lines of its own in the log. */
  private static String text(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }
}
