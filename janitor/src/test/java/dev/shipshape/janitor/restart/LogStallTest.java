package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LogStallTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration AFTER = Duration.ofMinutes(10);

  private final ListedSessions listed = new ListedSessions(NOW);
  private final LogStall stall = new LogStall(AFTER, new WaitingSessions(listed::list, () -> NOW));

  @Test
  void silenceWhileASessionWaitsIsEvidence() {
    listed.pending("a", NOW.minus(AFTER));
    listed.pending("b", NOW);
    assertThat(evaluate(NOW.minus(AFTER)))
        .hasValue("no line since 2026-11-21T11:50:00Z, while 2 sessions wait, one for 10m 0s");
  }

  @Test
  void anOperatorThatSpeaksIsNeverSilentAndNoSessionIsListedForIt() {
    listed.pending("a", NOW.minus(AFTER));
    assertThat(evaluate(NOW.minus(AFTER).plusSeconds(1))).isEmpty();
    assertThat(listed.lists).isZero();
  }

  @Test
  void anOperatorWithNothingToDoMayBeSilent() {
    assertThat(evaluate(NOW.minus(Duration.ofDays(9)))).isEmpty();
  }

  @Test
  void aSessionThatHasJustComeBreaksNoSilence() {
    listed.pending("a", NOW.minus(AFTER).plusSeconds(1));
    assertThat(evaluate(NOW.minus(Duration.ofDays(9)))).isEmpty();
  }

  @Test
  void whatCannotBeReadOrListedIsNoEvidence() {
    listed.pending("a", NOW.minus(AFTER));
    assertThat(evaluate(null)).isEmpty();
    listed.failure = new KubernetesClientException("the sessions cannot be listed");
    assertThat(evaluate(NOW.minus(AFTER))).isEmpty();
  }

  private Optional<String> evaluate(@Nullable Instant lastActivity) {
    return stall.evaluate(
        List.of(new InstanceHealth(Diagnosis.healthy(), lastActivity, false)), NOW);
  }
}
