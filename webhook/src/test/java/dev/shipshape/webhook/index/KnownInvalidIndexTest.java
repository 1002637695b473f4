package dev.shipshape.webhook.index;

import static dev.shipshape.webhook.index.IndexedObjects.hash;
import static dev.shipshape.webhook.index.IndexedObjects.invalid;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.config.Role;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class KnownInvalidIndexTest {
  private static final int MANY = 100_000;

  @Test
  void anObjectCountsForItsLastConfigurationAndAsLongAsItExists() {
    var index = new KnownInvalidIndex();
    index.put(invalid("worker-1", hash("bad")));
    index.put(invalid("worker-2", hash("bad")));
    index.put(invalid("worker-1", hash("worse")));

    assertThat(index.saying(hash("bad"))).extracting("name").containsExactly("worker-2");
    assertThat(index.saying(hash("worse"))).extracting("name").containsExactly("worker-1");
    assertThat(index.invalidSize()).isEqualTo(2);

    index.remove("worker-2");
    assertThat(index.saying(hash("bad"))).isEmpty();
    assertThat(index.keys()).containsExactly("worker-1");
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
      index.put(invalid("worker-" + (1 + number % 3_000), hash("content " + number)));
      index.remove("worker-" + (1 + (number + 1_000) % 3_000));
      index.put(invalid("worker-0", hash));
    }
    done.set(true);

    assertThat(reader.join()).isZero();
  }
}
