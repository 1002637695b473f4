package dev.shipshape.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BodyRoomTest {
  private final BodyRoom room = new BodyRoom(100, 20);
  private final List<String> cut = new ArrayList<>();
  private long now = System.nanoTime();

  @Test
  void largeBodiesLeaveTheSmallOnesTheirShare() {
    var large = enter("large", false);
    var small = enter("small", true);

    assertThat(large.take(81, now)).isFalse();
    assertThat(large.take(80, now)).isTrue();
    assertThat(small.take(20, now)).isTrue();
    assertThat(small.take(1, now)).isFalse();
    assertThat(cut).isEmpty();
  }

  @Test
  void theOneFurthestBehindYieldsAndNoMoreThanThereIsNeed() {
    for (var name : List.of("first", "second", "third")) {
      assertThat(enter(name, true).take(30, now)).isTrue();
      pass(100);
    }
    pass(1_000);

    assertThat(enter("late", true).take(50, now)).isTrue();
    assertThat(cut).containsExactly("first", "second");
  }

  @Test
  void whoIsNotBehindDoesNotYield() {
    assertThat(enter("first", true).take(100, now)).isTrue();
    pass(499);

    assertThat(enter("late", true).take(1, now)).isFalse();
    assertThat(cut).isEmpty();
  }

  @Test
  void whoHoldsNothingIsNotCut() {
    enter("empty", true);
    assertThat(enter("full", true).take(100, now)).isTrue();
    pass(1_000);

    assertThat(enter("late", true).take(1, now)).isTrue();
    assertThat(cut).containsExactly("full");
  }

  @Test
  void nobodyIsCutWhereThatMakesNotEnoughRoom() {
    var whole = enter("whole", true);
    assertThat(whole.take(15, now)).isTrue();
    assertThat(whole.settle()).isTrue();
    var large = enter("large", false);
    assertThat(large.take(65, now)).isTrue();
    assertThat(large.settle()).isTrue();
    assertThat(enter("late", true).take(12, now)).isTrue();
    pass(1_000);

    assertThat(enter("next", false).take(20, now)).isFalse();
    assertThat(cut).isEmpty();
  }

  @Test
  void whoIsFurthestBehindDoesNotDriveOthersOut() {
    var slow = enter("slow", true);
    assertThat(slow.take(50, now)).isTrue();
    pass(400);
    assertThat(enter("other", true).take(50, now)).isTrue();
    pass(1_000);

    assertThat(slow.take(10, now)).isFalse();
    assertThat(cut).containsExactly("slow");
    assertThat(enter("late", true).take(50, now)).as("what it had").isTrue();
    assertThat(cut).containsExactly("slow");
  }

  @Test
  void aWholeBodyDoesNotYieldAndOneThatYieldedIsNotWhole() {
    var whole = enter("whole", true);
    assertThat(whole.take(50, now)).isTrue();
    assertThat(whole.settle()).isTrue();
    var slow = enter("slow", true);
    assertThat(slow.take(50, now)).isTrue();
    pass(1_000);

    assertThat(enter("late", true).take(40, now)).isTrue();
    assertThat(cut).containsExactly("slow");
    assertThat(slow.settle()).isFalse();
    slow.leave();
    slow.giveBack(50);
    assertThat(enter("later", true).take(11, now)).as("given back once").isFalse();
  }

  private BodyRoom.Place enter(String name, boolean small) {
    return room.enter(small, new Pace(Duration.ofMillis(500), now), () -> cut.add(name));
  }

  private void pass(long millis) {
    now += Duration.ofMillis(millis).toNanos();
  }
}
