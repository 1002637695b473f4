package dev.shipshape.webhook.known;

import static dev.shipshape.webhook.config.ConfigStatus.INVALID;
import static dev.shipshape.webhook.config.ConfigStatus.PROVISIONED;
import static dev.shipshape.webhook.config.FailureDetails.NONE;
import static dev.shipshape.webhook.known.IndexedObjects.hash;
import static dev.shipshape.webhook.known.IndexedObjects.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.shipshape.webhook.Json;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Attempts;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Failure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Source;
import dev.shipshape.webhook.known.KnownInvalidConfiguration.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownInvalidTest {
  private static final int MANY = 100_000;
  private static final ConfigHash BAD = hash("bad");
  private static final ConfigHash GOOD = hash("good");

  private final Guard guard = GuardReader.preset("nodeconfig").getFirst();
  private final KnownInvalid known =
      new KnownInvalid(List.of(guard), Scope.CLUSTER, Duration.ofDays(1));

  @Test
  void anObjectCountsForItsLastConfigurationAndAsLongAsItExists() {
    var worse = hash("worse");
    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 1);
    put("worker-2-invalid", new Role.InvalidRecord("worker-2"), BAD, ConfigStatus.UNDECIDED, 1);
    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), worse, ConfigStatus.UNDECIDED, 1);

    assertThat(evidence(BAD)).extracting("subject").containsExactly("worker-2-invalid");
    assertThat(evidence(worse)).extracting("subject").containsExactly("worker-1-invalid");

    known.remove(guard, "worker-2-invalid");
    assertThat(evidence(BAD)).isEmpty();
    assertThat(known.keys(guard)).containsExactly("worker-1-invalid");
  }

  /** An operator records an API server's error too, and then tries the same again. */
  @Test
  void aRecordOfWhatItsNodesObjectDidNotHaveBeforeIsOnlySuspected() {
    var record = new Role.InvalidRecord("worker-1");
    put("worker-1-invalid", record, BAD, ConfigStatus.UNDECIDED, 1);
    see(BAD, ConfigStatus.UNDECIDED, 2);
    put("worker-1-invalid", record, BAD, ConfigStatus.UNDECIDED, 1);

    assertThat(evidence(BAD)).extracting("onlyWarns").containsExactly(true);
    assertThat(known.unwritten()).isEmpty();
  }

  /** The way back to it fails by an API server's error. */
  @Test
  void aRecordOfWhatItsNodeWorkedWithIsOnlySuspected() {
    see(BAD, ConfigStatus.UNDECIDED, 1);
    see(BAD, ConfigStatus.PROVISIONED, 2);
    see(GOOD, ConfigStatus.UNDECIDED, 3);

    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 4);

    assertThat(evidence(BAD)).extracting("onlyWarns").containsExactly(true);
  }

  /** Cut off by it, a node says nothing itself, and replicas restart. */
  @Test
  void whatARecordBearsOutIsLearnedAndWhatItDoesNotIsNot() {
    record("worker-1", BAD);
    put("worker-2-invalid", new Role.InvalidRecord("worker-2"), GOOD, ConfigStatus.UNDECIDED, 1);

    assertThat(known.unwritten())
        .singleElement()
        .satisfies(
            learned -> {
              assertThat(learned.key().hash()).isEqualTo(BAD);
              assertThat(learned.after().nodes()).containsExactly("worker-1");
              assertThat(learned.after().failures().get("worker-1").message())
                  .contains("record worker-1-invalid");
            });
  }

  /** A KnownInvalidConfiguration has room for 200. */
  @Test
  void aConfigurationThatFailedOnMoreNodesThanFitIsNotClearedWhileOneStillFails() {
    var nodes = IntStream.rangeClosed(0, 200).mapToObj("worker-%03d"::formatted).toList();
    nodes.forEach(node -> put(node, new Role.Current(node), BAD, ConfigStatus.INVALID, 10));
    nodes
        .subList(0, 200)
        .forEach(node -> put(node, new Role.Current(node), BAD, ConfigStatus.PROVISIONED, 20));

    var learned = known.unwritten().getFirst().after();
    assertThat(learned.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(learned.nodes()).containsExactly("worker-200");
  }

  @Test
  void norIfTheSuccessesWereSeenBeforeTheFailuresWereListed() {
    var failures = new TreeMap<String, Failure>();
    for (var i = 0; i < 200; i++) {
      var node = "worker-%03d".formatted(i);
      failures.put(node, new Failure(Instant.ofEpochSecond(50), "", ""));
      put(node, new Role.Current(node), BAD, ConfigStatus.PROVISIONED, 60);
    }
    put("worker-200", new Role.Current("worker-200"), BAD, ConfigStatus.INVALID, 10);
    known.put(stored(BAD, "worker-000").with(Verdict.INVALID, failures));

    var learned = known.unwritten().getFirst().after();
    assertThat(learned.verdict()).isEqualTo(Verdict.INVALID);
    assertThat(learned.nodes()).containsExactly("worker-200");
  }

  /** A definition that loses a field leaves of the repair what had failed, with its success. */
  @Test
  void aSuccessOfAnotherContentThanTheStampedOneClearsNothing() {
    see(BAD, ConfigStatus.INVALID, 10);

    known.put(guard, current("worker-1", BAD, PROVISIONED, 20, 20, true), null);

    assertThat(known.unwritten().getFirst().after().verdict()).isEqualTo(Verdict.INVALID);
  }

  /** Without nodes, where it worked last says more than where it failed before. */
  @Test
  void aSuccessThatIsListedBeforeTheOlderFailureClearsIt() {
    var revisions = GuardReader.preset("schiff-revisions").getFirst();
    var known = new KnownInvalid(List.of(revisions), Scope.CLUSTER, Duration.ofDays(1));
    var worked = object("a", new Role.Current("a"), BAD, ConfigStatus.PROVISIONED, 60);
    var failed = object("b", new Role.Current("b"), BAD, ConfigStatus.INVALID, 10);
    known.put(revisions, worked, null);
    known.put(revisions, failed, null);

    assertThat(known.unwritten())
        .singleElement()
        .satisfies(each -> assertThat(each.after().verdict()).isEqualTo(Verdict.CLEARED));
  }

  /** A replica that starts sees the time of its last heartbeat. */
  @Test
  void aSuccessThatMayBeOlderThanTheFailureOfAnotherObjectClearsNothing() {
    var revisions = GuardReader.preset("schiff-revisions").getFirst();
    for (var source : List.of("a", "b")) {
      var known = new KnownInvalid(List.of(revisions), Scope.CLUSTER, Duration.ofDays(1));
      known.put(revisions, object(source, new Role.Current(source), BAD, INVALID, 50), null);
      known.put(known.unwritten().getFirst().after());
      known.removeWritten(known.unwritten().getFirst());
      known.remove(revisions, source);
      known.put(revisions, firstSeen("a", BAD, PROVISIONED, 5, 60), null);

      assertThat(known.unwritten()).as(source).hasSize(source.equals("a") ? 1 : 0);
    }
  }

  /** Another object has failed with the first one's earlier content since. */
  @Test
  void aLaterFailureOfAnotherObjectDoesNotOutdateAStatus() {
    var revisions = GuardReader.preset("schiff-revisions").getFirst();
    var known = new KnownInvalid(List.of(revisions), Scope.CLUSTER, Duration.ofDays(1));
    known.put(known(revisions, BAD, "a", "", Verdict.INVALID, 0, false));
    known.put(revisions, firstSeen("a", GOOD, INVALID, 5, 40), null);

    assertThat(known.evidence(revisions, "", "c", "c", GOOD)).hasSize(1);
  }

  private static IndexedObject firstSeen(
      String name, ConfigHash hash, ConfigStatus status, long earliest, long writtenAt) {
    return current(name, hash, status, earliest, writtenAt, false);
  }

  private static IndexedObject current(
      String name,
      ConfigHash hash,
      ConfigStatus status,
      long earliest,
      long writtenAt,
      boolean hasStaleHash) {
    var role = new Role.Current(name);
    return new IndexedObject(
        "", name, "uid", role, hash, status, true, writtenAt, earliest, false, hasStaleHash, NONE);
  }

  /** It was refused where it had run before it was known. */
  @Test
  void ofARecordOfARefusalNothingIsLearned() {
    known.put(stored(BAD, "worker-2"));
    see(BAD, ConfigStatus.UNDECIDED, 60);
    see(GOOD, ConfigStatus.UNDECIDED, 70);
    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 80);

    assertThat(known.unwritten()).isEmpty();
  }

  /** A field was removed, which no managed field shows, and then the replica was restarted. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aStatusThatIsStoredAsThatOfAnotherConfigurationDoesNotCount(boolean isStoredFirst) {
    var failed = known(guard, BAD, "worker-2", "worker-1", Verdict.INVALID, 0, false);
    var firstSeen = firstSeen("worker-1", GOOD, INVALID, 1, 50);

    if (isStoredFirst) {
      known.put(failed);
    }
    known.put(guard, firstSeen, null);
    known.put(failed);

    assertThat(known.unwritten()).isEmpty();
    assertThat(evidence(GOOD)).isEmpty();
    known.remove(failed);
    assertThat(evidence(GOOD)).as("once that is deleted").isEmpty();
  }

  @Test
  void aRecordCountsIfItsConfigurationIsStoredAsInvalidByItsNode() {
    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 1);
    known.put(stored(BAD, "worker-2"));
    assertThat(evidence(BAD)).extracting("subject").containsExactly("worker-2 (remembered)");

    known.put(stored(BAD, "worker-1"));

    assertThat(evidence(BAD))
        .filteredOn(each -> each.subject().equals("worker-1-invalid"))
        .extracting("onlyWarns")
        .containsExactly(false);
  }

  @Test
  void ofWhatANodesObjectHadTheNewestSixteenAreKept() {
    for (var number = 0; number < 17; number++) {
      see(hash("one of many " + number), ConfigStatus.UNDECIDED, 1);
    }

    for (var number : List.of(0, 1)) {
      var record = hash("one of many " + number);
      put(
          "worker-1-invalid",
          new Role.InvalidRecord("worker-1"),
          record,
          ConfigStatus.UNDECIDED,
          1);
      assertThat(evidence(record)).extracting("onlyWarns").containsExactly(number == 0);
    }
  }

  @Test
  void aBackupIsOneOfItsNodeAndItsContentAlone() {
    put("worker-1-backup", new Role.Backup("worker-1"), GOOD, ConfigStatus.UNDECIDED, 1);

    assertThat(known.isBackup(guard, "", "worker-1-backup", "worker-1", GOOD)).isTrue();
    assertThat(known.isBackup(guard, "", "worker-1-backup", "worker-2", GOOD)).isFalse();
    assertThat(known.isBackup(guard, "", "worker-1-backup", "worker-1", BAD)).isFalse();
    assertThat(known.isBackup(guard, "a", "worker-1-backup", "worker-1", GOOD)).isFalse();
    assertThat(evidence(GOOD)).isEmpty();
  }

  @Test
  void whatWorkedIsKeptWhileAnotherIsTried() {
    see(GOOD, ConfigStatus.PROVISIONED, 1);
    see(BAD, ConfigStatus.UNDECIDED, 2);
    assertThat(isLastKnownGood(GOOD)).isTrue();

    see(BAD, ConfigStatus.INVALID, 3);
    assertThat(isLastKnownGood(GOOD)).isTrue();
    assertThat(isLastKnownGood(BAD)).isFalse();
  }

  @Test
  void whatWorkedAndFailedLaterIsNothingToGoBackTo() {
    see(GOOD, ConfigStatus.PROVISIONED, 1);
    see(GOOD, ConfigStatus.INVALID, 2);
    see(BAD, ConfigStatus.UNDECIDED, 3);

    assertThat(isLastKnownGood(GOOD)).isFalse();
  }

  @Test
  @Timeout(60)
  void aConfigurationThatStaysInvalidIsKnownAtEveryMoment() {
    record("worker-0", BAD);
    var done = new AtomicBoolean();
    var reader =
        CompletableFuture.supplyAsync(
            () -> {
              var missed = 0;
              while (!done.get()) {
                missed += evidence(BAD).isEmpty() ? 1 : 0;
              }
              return missed;
            });
    for (var number = 1; number < MANY; number++) {
      record("worker-0", BAD);
      record("worker-" + (1 + number % 3_000), hash("content " + number));
      known.remove(guard, "worker-" + (1 + (number + 1_000) % 3_000) + "-invalid");
      record("worker-0", BAD);
    }
    done.set(true);

    assertThat(reader.join()).isZero();
  }

  /** As where nothing can be written, for days. */
  @Test
  void aConfigurationThatFailsAndWorksInTurnsKeepsOnlyTheLastOfEachNode() {
    for (var turn = 1; turn <= 1_000; turn++) {
      for (var node : List.of("worker-1", "worker-2")) {
        put(node, new Role.Current(node), BAD, ConfigStatus.INVALID, 2 * turn);
        put(node, new Role.Current(node), BAD, ConfigStatus.PROVISIONED, 2 * turn + 1);
      }
    }

    var waiting = known.unwritten();
    assertThat(waiting).hasSize(1);
    assertThat(waiting.getFirst().observations()).hasSizeLessThanOrEqualTo(4);
    assertThat(waiting.getFirst().after().verdict()).isEqualTo(Verdict.CLEARED);
    assertThat(evidence(BAD)).isEmpty();

    put("worker-1", new Role.Current("worker-1"), BAD, ConfigStatus.INVALID, 5_000);
    assertThat(known.unwritten().getFirst().after().nodes()).containsExactly("worker-1");
    assertThat(evidence(BAD)).hasSize(1);
  }

  @Test
  void whileNothingCanBeWrittenAConfigurationThatFailsOnManyNodesIsNotHeldForEach() {
    for (var at = 1; at <= 3; at++) {
      for (var number = 0; number < 100; number++) {
        var node = "worker-" + number;
        var status = at == 2 ? PROVISIONED : INVALID;
        known.put(guard, object(node, new Role.Current(node), BAD, status, at), "{}");
      }
    }

    var waiting = known.unwritten().getFirst();
    assertThat(waiting.observations()).filteredOn(Observation::holdsContent).hasSize(1);
    assertThat(waiting.after()).extracting("content").isEqualTo("{}");
  }

  /** As at a start, where both are listed. */
  @Test
  @Timeout(10)
  void manyConfigurationsBesideManyObjectsCostNoMoreThanBothApart() {
    for (var number = 0; number < MANY; number++) {
      var name = "worker-" + number;
      put(name, new Role.Current(name), hash(name), ConfigStatus.PROVISIONED, 100);
    }
    for (var number = MANY - 100; number < MANY + 20_000; number++) {
      known.put(stored(hash("worker-" + number), "worker-" + number));
    }

    assertThat(known.count(guard, Verdict.INVALID)).isEqualTo(20_100);
    assertThat(known.unwritten()).as("what works there is learned").hasSize(100);
  }

  /** When a configuration cuts nodes off, the API server may be slow, too. */
  @Test
  @Timeout(10)
  void aDecisionCostsNoMoreWhileFailuresCannotBeStored() {
    for (var number = 0; number < 200; number++) {
      see("worker-" + number, BAD);
    }
    for (var decision = 0; decision < 400; decision++) {
      assertThat(evidence(BAD)).isNotEmpty();
    }
  }

  private void see(String node, ConfigHash hash) {
    put(node, new Role.Current(node), hash, ConfigStatus.INVALID, 1);
  }

  /** Somebody clears it before the answer to the write that made it is here. */
  @Test
  void anAnswerThatIsLateReplacesNothingThatTheWatchHasShown() {
    var invalid = stored(BAD, "worker-1");
    var cleared =
        invalid
            .clearedBy(Instant.EPOCH)
            .storedAs(new Stored("uid", "2", Instant.EPOCH, true, false, Attempts.NONE));
    known.put(cleared);

    known.replaceIfUnchanged(invalid.key(), null, invalid);

    assertThat(known.count(guard, Verdict.CLEARED)).isOne();
    known.replaceIfUnchanged(invalid.key(), cleared, null);
    assertThat(known.count(guard, Verdict.CLEARED)).isZero();
  }

  /** What is refused, but runs: by itself, or for what another says. */
  @Test
  void holdersAreObjectsInUseOfWhatWouldBeRefused() {
    see(BAD, ConfigStatus.UNDECIDED, 1);
    put("worker-2-backup", new Role.Backup("worker-2"), BAD, ConfigStatus.UNDECIDED, 1);
    put("worker-3-invalid", new Role.InvalidRecord("worker-3"), BAD, ConfigStatus.UNDECIDED, 1);
    assertThat(known.countHolders(guard)).as("only suspected").isZero();

    known.put(stored(BAD, "worker-9"));
    assertThat(known.countHolders(guard)).isOne();
    put("worker-4", new Role.Current("worker-4"), GOOD, ConfigStatus.INVALID, 1);
    assertThat(known.countHolders(guard)).isEqualTo(2);
  }

  @Test
  void configurationsAreCountedByWhatIsKnownOfThem() {
    assertThat(known.isEmpty()).isTrue();
    known.put(cleared(GOOD, 100));
    assertThat(known.isEmpty()).as("nothing is refused or warned of").isTrue();

    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 1);
    put("worker-2", new Role.Current("worker-2"), hash("worse"), ConfigStatus.INVALID, 1);
    known.put(stored(hash("stored"), "worker-3"));

    assertThat(known.isEmpty()).isFalse();
    assertThat(known.countInvalid(guard)).isOne();
    assertThat(known.count(guard, Verdict.INVALID)).isOne();
    assertThat(known.count(guard, Verdict.CLEARED)).isOne();
    assertThat(known.count(guard, Verdict.SUSPECTED)).isZero();
  }

  @Test
  void whatAPersonClearedCountsAgainIfItIsSaidLater() {
    known.put(cleared(BAD, 100));
    put("worker-1", new Role.Current("worker-1"), BAD, ConfigStatus.INVALID, 100);
    assertThat(evidence(BAD)).isEmpty();
    assertThat(known.countInvalid(guard)).isZero();

    put("worker-1", new Role.Current("worker-1"), BAD, ConfigStatus.INVALID, 101);
    assertThat(evidence(BAD)).isNotEmpty();
  }

  @Test
  void attemptsAddUpUntilTheyAreTakenAndOnlyOfWhatIsKnown() {
    var at = Instant.ofEpochSecond(7);
    known.addAttempts(guard, "", BAD, new Attempts(1, 0, at, "jane"));
    assertThat(known.pendingAttempts()).isEmpty();
    var stored = stored(BAD, "worker-1");
    known.put(stored);
    known.addAttempts(guard, "", BAD, new Attempts(4, 5, at, "jane"));
    known.addAttempts(guard, "", BAD, new Attempts(2, 3, Instant.EPOCH, "joe"));

    assertThat(known.pendingAttempts()).containsExactly(stored.key());
    assertThat(known.takePendingAttempts(stored.key())).isEqualTo(new Attempts(6, 8, at, "jane"));
    assertThat(known.takePendingAttempts(stored.key())).isEqualTo(Attempts.NONE);
    known.addAttempts(guard, "", BAD, new Attempts(1, 0, at, "jane"));
    known.replaceIfUnchanged(stored.key(), stored, null);
    assertThat(known.pendingAttempts()).as("of a deleted one").isEmpty();
  }

  @Test
  void whatIsWrittenWaitsNoMoreAndWhatCameMeanwhileDoes() {
    see(BAD, ConfigStatus.INVALID, 1);
    var first = known.unwritten().getFirst();
    put("worker-2", new Role.Current("worker-2"), BAD, ConfigStatus.INVALID, 2);

    known.removeWritten(first);
    assertThat(known.unwritten().getFirst().after().nodes()).containsExactly("worker-2");
    known.removeWritten(known.unwritten().getFirst());
    assertThat(known.unwritten()).isEmpty();
  }

  @Test
  void whatOnlyARecordTaughtEndsWithTheRecord() {
    var record = record("worker-1-invalid", false);
    known.put(record);
    assertThat(evidence(BAD)).isEmpty();
    known.put(record("worker-1-invalid", true));
    assertThat(evidence(BAD)).extracting("subject").containsExactly("worker-1-invalid (imported)");
    known.put(record("worker-1", false));
    assertThat(evidence(BAD)).hasSize(1);

    known.put(record);
    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 1);
    assertThat(evidence(BAD)).extracting("subject").containsExactly("worker-1-invalid");
  }

  /** Two nodes are cut off at once, or a write to the other is refused; then the first one goes. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void ofTwoRecordsTheOtherCountsOnceTheFirstIsGone(boolean isConfirmed) {
    record("worker-1", BAD);
    known.put(known.unwritten().getFirst().after());
    if (isConfirmed) {
      record("worker-2", BAD);
    } else {
      put("worker-2-invalid", new Role.InvalidRecord("worker-2"), BAD, ConfigStatus.UNDECIDED, 1);
    }
    assertThat(evidence(BAD)).extracting("subject").containsExactly("worker-1-invalid");

    known.remove(guard, "worker-1-invalid");

    assertThat(evidence(BAD)).extracting("subject").containsExactly("worker-2-invalid");
    assertThat(evidence(BAD)).extracting("onlyWarns").containsExactly(!isConfirmed);
  }

  @Test
  void whatTheNodesObjectReportedAfterItsRecordOutlastsTheRecord() {
    see(BAD, ConfigStatus.UNDECIDED, 1);
    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 5);
    known.put(known.unwritten().getFirst().after());
    see(BAD, ConfigStatus.INVALID, 30);
    var stored = known.unwritten().getFirst().after();
    see(GOOD, ConfigStatus.PROVISIONED, 40);
    known.put(stored);
    known.remove(guard, "worker-1-invalid");

    assertThat(evidence(BAD)).hasSize(1);
  }

  /** As after {@code kubectl get nodeconfig worker-1-invalid | helm shipshape remember -}. */
  @Test
  void whatAPersonCallsInvalidByTheFileOfARecordIsRefusedWhateverBecomesOfTheRecord() {
    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 1);
    known.put(declared("worker-1-invalid"));
    assertThat(evidence(BAD)).extracting("onlyWarns").startsWith(false);
    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 99);
    assertThat(evidence(BAD)).as("of a refusal").extracting("onlyWarns").containsExactly(false);

    known.put(declared("worker-1-invalid", "worker-1"));
    known.remove(guard, "worker-1-invalid");
    assertThat(evidence(BAD)).extracting("onlyWarns").containsExactly(false);
  }

  @Test
  void whatAPersonCallsInvalidIsSoOnEveryNodeThoughItFailsOnOne() {
    var perNode = new KnownInvalid(List.of(guard), Scope.NODE, Duration.ofDays(1));
    perNode.put(declared("worker-1"));
    perNode.put(
        guard,
        object("worker-1", new Role.Current("worker-1"), BAD, ConfigStatus.INVALID, 1),
        null);
    assertThat(perNode.evidence(guard, "", "worker-9", "worker-9", BAD)).hasSize(1);
    perNode.put(declared("worker-1", "worker-1"));
    assertThat(perNode.evidence(guard, "", "worker-9", "worker-9", BAD)).hasSize(1);
  }

  /** Its owner comes with a second write. */
  @Test
  void aRecordIsOneOnceItHasAnOwner() {
    see(BAD, ConfigStatus.UNDECIDED, 1);
    var name = "worker-1-invalid";
    put(name, new Role.Current(name), BAD, ConfigStatus.UNDECIDED, 2);
    put(name, new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 3);
    assertThat(evidence(BAD)).extracting("onlyWarns").startsWith(false);
  }

  @Test
  void aRecordCountsIfAPersonSaysSo() {
    put("worker-1-invalid", new Role.InvalidRecord("worker-1"), BAD, ConfigStatus.UNDECIDED, 1);
    known.confirm(guard, "worker-2-invalid");
    assertThat(evidence(BAD)).extracting("onlyWarns").containsExactly(true);

    known.confirm(guard, "worker-1-invalid");
    assertThat(evidence(BAD)).extracting("onlyWarns").containsExactly(false);
  }

  @Test
  void ofMoreThanAThousandThatWaitTheFirstAreKept() {
    failed(1_001);

    assertThat(known.unwritten()).hasSize(1_000);
    assertThat(evidence(hash("node-1000"))).as("by the object").hasSize(1);
  }

  @Test
  void aSuccessCountsThoughAThousandFailuresWait() {
    known.put(stored(BAD, "worker-1"));
    failed(1_000);

    see(BAD, ConfigStatus.PROVISIONED, 100);

    assertThat(evidence(BAD)).isEmpty();
    assertThat(known.unwritten()).hasSize(1_001);
  }

  /** Each with a configuration of its own. */
  private void failed(int nodes) {
    for (var number = 0; number < nodes; number++) {
      var name = "node-" + number;
      put(name, new Role.Current(name), hash(name), ConfigStatus.INVALID, 1);
    }
  }

  @Test
  void whatIsStoredIsFoundByItsKeyAndNamedByIt() {
    var stored = stored(BAD, "worker-1");
    known.put(stored);
    assertThat(known.stored(stored.key())).isEqualTo(stored);
    var hex = BAD.toString().substring(3);
    assertThat(stored.key().objectName()).isEqualTo("nodeconfig." + hex);
    assertThat(new ConfigurationKey("g", "shop", BAD).objectName()).isEqualTo("g.shop." + hex);
    assertThat(stored.isStoredAs("uid")).isTrue();
    assertThat(stored.isStoredAs("other")).isFalse();
  }

  @Test
  void aVerdictIsWrittenAsItIsRead() {
    assertThat(Verdict.parse("Suspected")).isEqualTo(Verdict.SUSPECTED);
    assertThatIllegalArgumentException().isThrownBy(() -> Verdict.parse("SUSPECTED"));
    assertThat(Verdict.CLEARED).hasToString("Cleared");
  }

  @Test
  void theContentIsKeptIfItIsAnObjectOfAtMost32Kibibytes() {
    var most = 32 * 1024 - "{'a':''}".length();
    assertThat(content("{a: '%s'}".formatted("x".repeat(most)))).hasSize(32 * 1024);
    assertThat(content("{a: '%s'}".formatted("x".repeat(most + 1)))).isNull();
    assertThat(content("[1]")).isNull();
  }

  private @Nullable String content(String spec) {
    var object = Json.json("{metadata: {name: 'a'}, spec: " + spec + "}");
    return KnownInvalidConfiguration.declared(guard, object, "why").content();
  }

  private KnownInvalidConfiguration stored(ConfigHash hash, String node) {
    return known(guard, hash, node, node, Verdict.INVALID, 0, false);
  }

  private KnownInvalidConfiguration cleared(ConfigHash hash, long at) {
    return known(guard, hash, "worker-1", "worker-1", Verdict.CLEARED, at, false);
  }

  private KnownInvalidConfiguration record(String source, boolean isImported) {
    return known(guard, BAD, source, "worker-1", Verdict.INVALID, 0, isImported);
  }

  private KnownInvalidConfiguration declared(String source, String... failedOn) {
    var failures = new TreeMap<String, Failure>();
    List.of(failedOn).forEach(node -> failures.put(node, new Failure(Instant.EPOCH, "", "")));
    return new KnownInvalidConfiguration(
        new ConfigurationKey(guard.name(), "", BAD),
        new Source("NodeConfig", source, ""),
        Verdict.INVALID,
        Instant.EPOCH,
        "why",
        failures,
        false,
        null,
        new Stored("uid", "1", Instant.EPOCH, true, false, Attempts.NONE));
  }

  private static KnownInvalidConfiguration known(
      Guard guard,
      ConfigHash hash,
      String source,
      String node,
      Verdict verdict,
      long at,
      boolean isImported) {
    var byHand = verdict == Verdict.CLEARED;
    var since = Instant.ofEpochSecond(at);
    return new KnownInvalidConfiguration(
        new ConfigurationKey(guard.name(), "", hash),
        new Source("NodeConfig", source, "uid"),
        verdict,
        since,
        "why",
        new TreeMap<>(Map.of(node, new Failure(Instant.ofEpochSecond(50), "", ""))),
        false,
        null,
        new Stored("uid", "1", Instant.EPOCH, byHand, isImported, Attempts.NONE));
  }

  private List<Evidence> evidence(ConfigHash hash) {
    return known.evidence(guard, "", "worker-9", "worker-9", hash);
  }

  private boolean isLastKnownGood(ConfigHash hash) {
    return known.isLastKnownGood(guard, "", "worker-1", hash);
  }

  private void see(ConfigHash hash, ConfigStatus standing, long at) {
    put("worker-1", new Role.Current("worker-1"), hash, standing, at);
  }

  /** Of a node whose object had it for a moment. */
  private void record(String node, ConfigHash hash) {
    put(node, new Role.Current(node), hash, ConfigStatus.UNDECIDED, 1);
    put(node + "-invalid", new Role.InvalidRecord(node), hash, ConfigStatus.UNDECIDED, 1);
    known.remove(guard, node);
  }

  private void put(String name, Role role, ConfigHash hash, ConfigStatus standing, long at) {
    known.put(guard, object(name, role, hash, standing, at), null);
  }
}
