package dev.shipshape.webhook.memory;

import dev.shipshape.webhook.memory.MemoryJournal.Written;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes down what was learned, and lets expire what is old, where this replica leads. */
final class MemoryKeeper implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(MemoryKeeper.class);

  /** Between rounds; what is learned in between is written together. */
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** Rounds to leave out after a failure, and between two looks for what is to go. */
  private static final int ROUNDS_TO_WAIT = 100;

  private static final int TRIES = 5;

  private final Memory memory;
  private final MemoryStore store;
  private final MemoryLimits limits;
  private final BooleanSupplier leads;
  private final AgreedTime clock;
  private final MemoryJournal journal;
  private final ScheduledExecutorService rounds =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("memory").factory());
  private int wait;
  private int untilNextLook;
  private volatile Book last = Book.EMPTY;

  MemoryKeeper(
      Memory memory,
      MemoryStore store,
      MemoryLimits limits,
      BooleanSupplier leads,
      AgreedTime clock,
      MemoryJournal journal) {
    this.memory = memory;
    this.store = store;
    this.limits = limits;
    this.leads = leads;
    this.clock = clock;
    this.journal = journal;
  }

  void start() {
    var ignored =
        rounds.scheduleWithFixedDelay(
            this::round, PAUSE.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** What the ConfigMap says now. */
  void read(Book book) {
    last = book;
  }

  private void round() {
    try {
      if (wait > 0) {
        wait--;
        return;
      }
      // Not before it: a list that was asked for earlier would take back what is written.
      var writes = leads.getAsBoolean() && memory.hasRead();
      var looks = isTimeToLook();
      if (looks) {
        memory.tidy(writes);
      }
      if (writes && (memory.isToBeWritten() || (looks && somethingIsOld()))) {
        write();
      }
    } catch (KubernetesClientException e) {
      failed(e.getMessage());
    } catch (RuntimeException e) {
      logger.error("memory: an unexpected failure; tried again", e);
      wait = ROUNDS_TO_WAIT;
    }
  }

  private boolean isTimeToLook() {
    if (untilNextLook > 0) {
      untilNextLook--;
      return false;
    }
    untilNextLook = ROUNDS_TO_WAIT;
    return true;
  }

  private boolean somethingIsOld() {
    return last.holdsOlderThan(clock.instant().minus(limits.keep()));
  }

  private void write() {
    var now = clock.agreed(store.asking().now());
    for (var tried = 0; tried < TRIES; tried++) {
      var found = store.read();
      memory.read(found.book(), found.version());
      var lessons = memory.lessons();
      var next = found.book().taught(lessons).within(limits, now);
      if (next.equals(found.book())) {
        settled(found, lessons);
        return;
      }
      var saved = store.write(found, next);
      if (saved != null) {
        journal.write(Written.WRITTEN);
        settled(saved, lessons);
        return;
      }
      journal.write(Written.CONFLICT);
    }
    logger.warn("memory: ConfigMap {}: others keep writing it; tried again", place());
    wait = ROUNDS_TO_WAIT;
  }

  private void settled(MemoryStore.Found found, List<Lesson> lessons) {
    memory.read(found.book(), found.version());
    memory.settled(lessons);
  }

  private void failed(@Nullable String why) {
    journal.write(Written.FAILED);
    wait = ROUNDS_TO_WAIT;
    logger.warn(
        "memory: could not write ConfigMap {}, which takes get, create and update on it; tried"
            + " again in {} s: {}",
        place(),
        PAUSE.multipliedBy(ROUNDS_TO_WAIT).toSeconds(),
        why);
  }

  private String place() {
    return store.namespace() + "/" + MemoryStore.NAME;
  }

  @Override
  public void close() {
    rounds.shutdownNow();
  }
}
