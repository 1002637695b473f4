package dev.shipshape.webhook.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.memory.Remembered.Forgotten;
import dev.shipshape.webhook.memory.Remembered.Invalid;
import dev.shipshape.webhook.memory.Remembered.Origin;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BookTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final MemoryLimits LIMITS = new MemoryLimits(1000, Duration.ofDays(30));

  @Test
  void whatIsWrittenIsReadAgain() {
    var book =
        taught(
            Book.EMPTY,
            failed(1, "worker-1", 0),
            failed(1, "worker-2", 1),
            failed(2, "worker-1", 0),
            new Lesson.Worked(key(2), "worker-1", "worker-1", NOON.plusSeconds(2)));

    var read = BookText.read(BookText.write(book));

    assertThat(read).isEqualTo(book);
    assertThat(((Invalid) record(read, 1)).nodes()).containsExactly("worker-1", "worker-2");
    assertThat(record(read, 2)).isInstanceOf(Forgotten.class);
  }

  @Test
  void theSameLessonTwiceChangesNothing() {
    var once = taught(Book.EMPTY, failed(1, "worker-1", 0));

    assertThat(taught(once, failed(1, "worker-1", 0))).isEqualTo(once);
  }

  @Test
  void aLaterFailureGivesTheLaterTimeAndAnEarlierOneNothing() {
    var once = taught(Book.EMPTY, failed(1, "worker-1", 60));

    assertThat(taught(once, failed(1, "worker-1", 0))).isEqualTo(once);
    assertThat(record(taught(once, failed(1, "worker-1", 120)), 1).at())
        .isEqualTo(NOON.plusSeconds(120));
  }

  @Test
  void aSuccessBeforeTheFailureOrAtItsTimeForgetsNothing() {
    var known = taught(Book.EMPTY, failed(1, "worker-1", 0));

    assertThat(taught(known, worked(1, "worker-1", -1))).isEqualTo(known);
    assertThat(taught(known, worked(1, "worker-1", 0))).isEqualTo(known);
    assertThat(record(taught(known, worked(1, "worker-1", 1)), 1)).isInstanceOf(Forgotten.class);
  }

  @Test
  void aSuccessElsewhereForgetsNothing() {
    var known = taught(Book.EMPTY, failed(1, "worker-1", 0), failed(1, "worker-2", 0));

    var one = known.taught(List.of(worked(1, "worker-1", 1)));
    var both = one.taught(List.of(worked(1, "worker-2", 1)));

    assertThat(known.taught(List.of(worked(1, "worker-3", 1)))).isEqualTo(known);
    assertThat(((Invalid) record(one, 1)).nodes()).containsExactly("worker-2");
    assertThat(record(both, 1)).isInstanceOf(Forgotten.class);
  }

  @Test
  void whatIsForgottenIsLearnedFromALaterStatusAlone() {
    var forgotten =
        taught(
            Book.EMPTY,
            failed(1, "worker-1", 0),
            new Lesson.Pardoned(key(1), NOON.plusSeconds(5), "jane"));

    assertThat(taught(forgotten, failed(1, "worker-1", 0))).isEqualTo(forgotten);
    assertThat(taught(forgotten, failed(1, "worker-2", 5))).isEqualTo(forgotten);
    assertThat(record(taught(forgotten, failed(1, "worker-1", 6)), 1)).isInstanceOf(Invalid.class);
  }

  @Test
  void theOldGoFirstWhereThereAreTooManyAndAllGoThatAreTooOld() {
    var lessons = new ArrayList<Lesson>();
    for (var number = 0; number < 1200; number++) {
      lessons.add(failed(number, "worker-1", number));
    }
    var book = Book.EMPTY.taught(lessons);

    var kept = book.within(LIMITS, NOON.plusSeconds(1200));

    assertThat(kept.records()).hasSize(1000).doesNotContainKey(key(199)).containsKey(key(200));
    assertThat(kept.within(LIMITS, NOON.plus(Duration.ofDays(30)).plusSeconds(700)).records())
        .hasSize(499);
    assertThat(book.within(new MemoryLimits(3, Duration.ofDays(1)), NOON.plusSeconds(1200)))
        .satisfies(three -> assertThat(three.records()).hasSize(3));
  }

  @Test
  void whatAPersonSaidDoesNotAgeAndIsCrowdedOutByNewerOnesOfItsSortAlone() {
    var lessons = new ArrayList<Lesson>();
    for (var number = 0; number < 4; number++) {
      lessons.add(new Lesson.Pardoned(key(number), NOON.plusSeconds(number), "jane"));
      lessons.add(failed(10 + number, "worker-1", 100));
      lessons.add(failed(20 + number, "worker-1", 100));
      lessons.add(worked(20 + number, "worker-1", 200));
    }
    var book = Book.EMPTY.taught(lessons);

    var kept = book.within(new MemoryLimits(3, Duration.ofDays(30)), NOON.plusSeconds(300));
    assertThat(kept.records())
        .hasSize(9)
        .containsKeys(key(1), key(2), key(3))
        .doesNotContainKey(key(0));

    var later = kept.within(LIMITS, NOON.plus(Duration.ofDays(400)));
    assertThat(later.records()).containsOnlyKeys(key(1), key(2), key(3));
    assertThat(later.holdsOlderThan(NOON.plus(Duration.ofDays(400)))).isFalse();
  }

  @Test
  void itFitsIntoAConfigMapWhateverItIsTaught() {
    var lessons = new ArrayList<Lesson>();
    for (var number = 0; number < 1000; number++) {
      for (var node = 0; node < 30; node++) {
        lessons.add(
            failed(number, "worker-with-a-rather-long-name-" + node + "x".repeat(60), number));
      }
    }
    var by = Map.of("by hand", "x".repeat(200_000));

    var kept = new Book(Map.of(), by).taught(lessons).within(LIMITS, NOON.plusSeconds(1000));

    var bytes =
        BookText.write(kept).entrySet().stream()
            .mapToInt(
                e -> e.getKey().length() + e.getValue().getBytes(StandardCharsets.UTF_8).length)
            .sum();
    assertThat(bytes).isBetween(Book.MOST_BYTES - 10_000, Book.MOST_BYTES);
    assertThat(kept.records()).containsKey(key(999)).doesNotContainKey(key(0));
    assertThat(kept.unreadable()).isEqualTo(by);
  }

  @Test
  void whatCannotBeReadIsKeptAsItIs() {
    var good = BookText.write(taught(Book.EMPTY, failed(1, "worker-1", 0)));
    var data = new HashMap<>(good);
    var bad =
        Map.of(
            "README",
            "hello",
            "v1.xyz.nodeconfig",
            "{}",
            key(3).toString(),
            "not JSON",
            key(4).toString(),
            "{\"state\":\"invalid\",\"at\":\"yesterday\",\"name\":\"x\"}",
            key(5).toString(),
            "{\"state\":\"fine\",\"at\":\"2026-11-21T12:00:00Z\"}",
            key(6).toString(),
            "[1]",
            key(7).toString(),
            "");
    data.putAll(bad);

    var book = BookText.read(data);

    assertThat(book.records()).containsOnlyKeys(key(1));
    assertThat(book.unreadable()).isEqualTo(bad);
    assertThat(BookText.write(book)).isEqualTo(data);
  }

  private static Book taught(Book book, Lesson... lessons) {
    return book.taught(List.of(lessons));
  }

  private static Remembered record(Book book, int number) {
    return book.records()
        .getOrDefault(key(number), new Forgotten(key(-1), NOON, NOON, true, "nobody"));
  }

  private static Lesson failed(int number, String node, int second) {
    return new Lesson.Failed(
        new Invalid(
            key(number),
            new Origin("NodeConfig", "", node, "uid"),
            new TreeMap<>(Map.of(node, NOON.plusSeconds(second))),
            NOON.plusSeconds(second),
            "operator",
            "status.configStatus is invalid",
            false,
            number % 2 == 0),
        NOON.plusSeconds(second));
  }

  private static Lesson worked(int number, String node, int second) {
    return new Lesson.Worked(key(number), node, node, NOON.plusSeconds(second));
  }

  private static Key key(int number) {
    return new Key("nodeconfig", ConfigHash.of(new byte[] {(byte) number, (byte) (number >> 8)}));
  }
}
