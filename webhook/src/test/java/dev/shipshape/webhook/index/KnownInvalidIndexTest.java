package dev.shipshape.webhook.index;

import static dev.shipshape.webhook.index.IndexedObjects.hash;
import static dev.shipshape.webhook.index.IndexedObjects.invalid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.guard.Role;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KnownInvalidIndexTest {
  private static final int MANY = 100_000;

  /** Few names and hashes make chains and replacements, many make the tables grow. */
  @ParameterizedTest
  @CsvSource({"1, 3, 2, 3000", "2, 40, 5, 20000", "3, 3000, 2000, 20000", "4, 500, 1, 8000"})
  void itKnowsWhatMapsWouldKnow(long seed, int names, int hashes, int operations) {
    var objects = new IndexedObjects(seed);
    var index = new KnownInvalidIndex();
    var maps = new MapIndex();
    for (var operation = 0; operation < operations; operation++) {
      var object = objects.any(names, hashes);
      if (objects.below(3) > 0) {
        index.put(object);
        maps.put(object);
      } else {
        index.remove(object.key());
        maps.remove(object.key());
      }

      assertThat(index.find(object.key())).isEqualTo(maps.find(object.key()));
      if (operation % 50 == 0) {
        assertThat(index.saying(object.hash())).isEqualTo(maps.saying(object.hash()));
      }
      if (operation % 1_000 == 999) {
        assertThat(index.keys()).containsExactlyInAnyOrderElementsOf(maps.keys());
        assertThat(index.size()).isEqualTo(maps.keys().size());
        assertThat(index.invalidSize()).isEqualTo((int) maps.invalidSize());
      }
    }
    for (var number = 0; number < hashes; number++) {
      var hash = hash("content " + number);
      assertThat(index.saying(hash)).isEqualTo(maps.saying(hash));
    }
  }

  @Test
  void aBackupIsOneOfItsNodeAndItsContentAlone() {
    var index = new KnownInvalidIndex();
    var good = hash("good");
    var object = invalid("worker-1-backup", good);
    index.put(
        new IndexedObject(
            "",
            object.name(),
            new Role.Backup("worker-1"),
            good,
            object.standing(),
            true,
            0,
            0,
            false,
            object.story()));

    assertThat(index.isBackup("", "worker-1-backup", "worker-1", good)).isTrue();
    assertThat(index.isBackup("", "worker-1-backup", "worker-2", good)).isFalse();
    assertThat(index.isBackup("", "worker-1-backup", "worker-1", hash("bad"))).isFalse();
    assertThat(index.isBackup("a", "worker-1-backup", "worker-1", good)).isFalse();
    assertThat(index.saying(good)).isEmpty();
  }

  @Test
  void anEntryTakesAtMostAHundredBytes() {
    var index = filled();

    assertThat(index.invalidSize()).isEqualTo(MANY);
    assertThat(index.allocated() / MANY).isLessThanOrEqualTo(100);
  }

  @Test
  void whatIsGoneGivesItsRoomBack() {
    var index = filled();
    for (var number = 0; number < MANY - 10; number++) {
      index.remove("worker-" + number);
    }

    assertThat(index.size()).isEqualTo(10);
    assertThat(index.allocated()).isLessThan(1 << 20);
    assertThat(index.saying(hash("content " + (MANY - 1)))).hasSize(1);
  }

  @Test
  void whatIsWrittenAgainAndAgainTakesNoMoreRoom() {
    var index = new KnownInvalidIndex();
    for (var number = 0; number < MANY; number++) {
      index.put(invalid("worker-" + number % 7, hash("content " + number % 5)));
    }

    assertThat(index.size()).isEqualTo(7);
    assertThat(index.allocated()).isLessThan(1 << 18);
  }

  @Test
  @Timeout(60)
  void aConfigurationThatStaysInvalidIsKnownAtEveryMoment() {
    var index = new KnownInvalidIndex();
    var hash = hash("stays");
    index.put(invalid("worker-0", hash));
    var done = new AtomicBoolean();
    var reader =
        CompletableFuture.supplyAsync(
            () -> {
              var missed = 0;
              while (!done.get()) {
                missed += index.saying(hash).isEmpty() ? 1 : 0;
              }
              return missed;
            });
    for (var number = 1; number < MANY; number++) {
      index.put(invalid("worker-0", hash));
      // So that it is rebuilt now and then.
      index.put(invalid("worker-" + (1 + number % 3_000), hash("content " + number)));
      index.remove("worker-" + (1 + (number + 1_000) % 3_000));
      index.put(invalid("worker-0", hash));
    }
    done.set(true);

    assertThat(reader.join()).isZero();
  }

  private static KnownInvalidIndex filled() {
    var index = new KnownInvalidIndex();
    for (var number = 0; number < MANY; number++) {
      index.put(invalid("worker-" + number, hash("content " + number)));
    }
    return index;
  }
}
