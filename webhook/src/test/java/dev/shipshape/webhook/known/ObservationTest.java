package dev.shipshape.webhook.known;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Source;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ObservationTest {
  private static final Instant FAILED = Instant.parse("2026-01-01T00:00:05Z");

  private final ConfigurationKey key =
      new ConfigurationKey("guard", "", ConfigHash.parse("v1:" + "0".repeat(64)));

  @Test
  void aSuspicionBecomesCertaintyAndNeverTheOtherWayRound() {
    var suspected = requireNonNull(failed("worker-1", 0, true).after(null));
    assertThat(suspected.verdict()).isEqualTo(Verdict.SUSPECTED);
    var known = requireNonNull(failed("worker-2", 1, false).after(suspected));

    assertThat(known.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(known.nodes()).containsExactly("worker-2");
    assertThat(failed("worker-3", 2, true).after(known)).isSameAs(known);
    assertThat(nodes(failed("worker-3", 2, false).after(known)))
        .containsExactly("worker-2", "worker-3");
    assertThat(nodes(failed("worker-3", 2, true).after(suspected)))
        .containsExactly("worker-1", "worker-3");
  }

  @Test
  void theSameFailureIsWrittenAgainAfterTheIntervalOnly() {
    var known = requireNonNull(failed("worker-1", 0, false).after(null));

    assertThat(failed("worker-1", 3600, false).after(known)).isSameAs(known);
    assertThat(requireNonNull(failed("worker-1", 3601, false).after(known)).lastFailedAt())
        .isEqualTo(FAILED.plusSeconds(3601));
  }

  /** A reason that names a record would look as if nothing could be refused once that is gone. */
  @Test
  void whatTheNodesObjectReportsTakesThePlaceOfWhatItsRecordSaid() {
    var known = requireNonNull(failed("worker-1-invalid", "the record says so").after(null));

    var own = requireNonNull(failed("worker-1", "its status says so").after(known));

    assertThat(own.source().name()).isEqualTo("worker-1");
    assertThat(own.reason()).isEqualTo("its status says so");
    assertThat(own.failures().values()).extracting(Failure::message).containsOnly(own.reason());
    assertThat(failed("worker-1-invalid", "the record says so").after(own)).isSameAs(own);

    var byHand = known.storedAs(new Stored("uid", "1", FAILED, true, false, Attempts.NONE));
    assertThat(requireNonNull(failed("worker-1", "its status says so").after(byHand)).reason())
        .as("of a person")
        .isEqualTo("the record says so");
  }

  @Test
  void ofOneConfigurationTwoHundredNodesAreKept() {
    var known = failed("worker-0", 0, false).after(null);
    for (var number = 1; number <= 200; number++) {
      known = failed("worker-" + number, 0, false).after(known);
    }

    assertThat(nodes(known)).hasSize(200).doesNotContain("worker-200");
  }

  @Test
  void whatAPersonClearedIsLearnedFromWhatIsSaidLaterOnly() {
    var cleared = cleared(true);

    assertThat(failed("worker-1", 10, false).after(cleared)).isSameAs(cleared);
    assertThat(requireNonNull(failed("worker-1", 11, false).after(cleared)).verdict())
        .isEqualTo(Verdict.INVALID);
    var early = failed("worker-1", 30, 5);
    assertThat(early.after(cleared)).isSameAs(cleared);
    assertThat(requireNonNull(early.after(cleared(false))).verdict()).isEqualTo(Verdict.INVALID);
  }

  @Test
  void successForgetsFailuresOfItsNodeAndBeforeItAlone() {
    var known = failed("worker-2", 0, false).after(failed("worker-1", 0, false).after(null));

    assertThat(nodes(worked("worker-1", 0).after(known))).containsExactly("worker-1", "worker-2");
    assertThat(nodes(worked("worker-3", 1).after(known))).containsExactly("worker-1", "worker-2");
    assertThat(nodes(worked("worker-1", 1).after(known))).containsExactly("worker-2");
    assertThat(requireNonNull(worked("", 1).after(known)).verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(worked("", 1).after(null)).isNull();
    var cleared = cleared(true);
    assertThat(worked("", 99).after(cleared)).isSameAs(cleared);
  }

  /** An operator may record its refusal in the seconds before the resource is written. */
  @Test
  void whatIsClearedBySuccessStillTellsWhenItFailed() {
    var written = FAILED.plusSeconds(10);
    var known =
        requireNonNull(failed("worker-1", 0, false).after(null))
            .storedAs(new Stored("uid", "1", written, false, false, Attempts.NONE));

    var cleared = requireNonNull(worked("worker-1", 20).after(known));

    assertThat(cleared.verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(cleared.since()).isEqualTo(FAILED);
  }

  /** The API server may be slow, and counting attempts is a write too. */
  @Test
  void whatFailsAgainAfterASuccessIsInvalidHoweverLateTheSuccessWasWritten() {
    var known = requireNonNull(failed("worker-1", 0, false).after(null));
    var writtenLate = new Stored("uid", "1", FAILED.plusSeconds(60), false, false, Attempts.NONE);
    var cleared = requireNonNull(worked("worker-1", 20).after(known)).storedAs(writtenLate);

    assertThat(requireNonNull(failed("worker-1", 21, false).after(cleared)).verdict())
        .isEqualTo(Verdict.INVALID);
    assertThat(failed("worker-1", 20, false).after(cleared)).isSameAs(cleared);
  }

  /** By a person, or by the webhook, ten seconds after it failed. */
  private KnownInvalidConfiguration cleared(boolean byHand) {
    var known = requireNonNull(failed("worker-1", 0, false).after(null));
    var at = FAILED.plusSeconds(10);
    return known.clearedBy(at).storedAs(new Stored("uid", "1", at, byHand, false, Attempts.NONE));
  }

  private static List<String> nodes(@Nullable KnownInvalidConfiguration known) {
    return requireNonNull(known).nodes();
  }

  private Observation worked(String node, int after) {
    return new Observation.Worked(key, node, FAILED.plusSeconds(after), FAILED.plusSeconds(after));
  }

  private Observation failed(String node, int after, boolean suspected) {
    return failed(node, after, after, suspected);
  }

  private Observation failed(String node, int after, int earliest) {
    return failed(node, after, earliest, false);
  }

  private Observation failed(String node, int after, int earliest, boolean suspected) {
    return failed("worker-1", "why", node, after, earliest, suspected);
  }

  private Observation failed(String source, String message) {
    return failed(source, message, "worker-1", 0, 0, false);
  }

  private Observation failed(
      String source, String message, String node, int after, int earliest, boolean suspected) {
    return new Observation.Failed(
        key,
        new Source("NodeConfig", source, "uid"),
        node,
        new Failure(FAILED.plusSeconds(after), message, "operator"),
        FAILED.plusSeconds(earliest),
        suspected,
        false,
        Duration.ofHours(1),
        "worker-1-invalid",
        null);
  }
}
