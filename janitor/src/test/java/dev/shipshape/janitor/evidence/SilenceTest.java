package dev.shipshape.janitor.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SilenceTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration AFTER = Duration.ofMinutes(10);

  private final ListedSessions listed = new ListedSessions(NOW);
  private final Silence silence = new Silence(AFTER, new WaitingSessions(listed, () -> NOW));

  @Test
  void silenceWhileASessionWaitsIsEvidence() {
    listed.pending("a", NOW.minus(AFTER));
    listed.pending("b", NOW);
    assertThat(silence.judge(NOW.minus(AFTER), NOW))
        .isEqualTo(
            new Evidence.Present(
                "no line since 2026-11-21T11:50:00Z, while 2 sessions wait, one for PT10M"));
  }

  @Test
  void anOperatorThatSpeaksIsNeverSilentAndNoSessionIsListedForIt() {
    listed.pending("a", NOW.minus(AFTER));
    assertThat(silence.judge(NOW.minus(AFTER).plusSeconds(1), NOW))
        .isEqualTo(new Evidence.Absent());
    assertThat(listed.lists).isZero();
  }

  @Test
  void anOperatorWithNothingToDoMayBeSilent() {
    assertThat(silence.judge(NOW.minus(Duration.ofDays(9)), NOW)).isEqualTo(new Evidence.Absent());
  }

  @Test
  void aSessionThatHasJustComeBreaksNoSilence() {
    listed.pending("a", NOW.minus(AFTER).plusSeconds(1));
    assertThat(silence.judge(NOW.minus(Duration.ofDays(9)), NOW)).isEqualTo(new Evidence.Absent());
  }

  @Test
  void whatCannotBeReadOrListedIsNoEvidence() {
    listed.pending("a", NOW.minus(AFTER));
    assertThat(silence.judge(null, NOW)).isInstanceOf(Evidence.Unknown.class);
    listed.failure = new KubernetesClientException("the sessions cannot be listed");
    assertThat(silence.judge(NOW.minus(AFTER), NOW))
        .isEqualTo(new Evidence.Unknown("the sessions cannot be listed"));
  }
}
