package dev.shipshape.webhook.index;

import static dev.shipshape.webhook.Json.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.IndexedObject;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is made of a status that is no subresource, so that no write of it is told apart. */
class ObjectIndexerTest {
  private static final String NINE = "2026-11-21T09:00:00Z";
  private static final String TEN = "2026-11-21T10:00:00Z";
  private static final String BOTH = "f:spec\":{},\"f:status";
  private static final String ELEVEN = "2026-11-21T11:00:00Z";

  private final Guard guard = GuardReader.preset("nodeconfig").getFirst();

  @Test
  void itsTimeIsThatOfTheWriteThatHadIt() {
    var known = project(entry("user", TEN, "f:spec"), entry("operator", ELEVEN, "f:status"));

    assertThat(known.hasCurrentStatus(ConfigStatus.INVALID)).isTrue();
    assertThat(known.writtenAt()).isEqualTo(Instant.parse(ELEVEN).getEpochSecond());
    assertThat(known.details().time()).isEqualTo(ELEVEN);
    assertThat(known.details().writer()).isEqualTo("operator");
  }

  @Test
  void withoutAConfigurationThereIsNoneToBeInvalid() {
    var object = object(1500, entry("user", TEN, "f:spec"), entry("operator", ELEVEN, "f:status"));

    assertThat(known(((ObjectNode) object).without("spec"), null).isInvalid()).isFalse();
  }

  @Test
  void oneThatTheContentOutdatesCountsForNothing() {
    var known = project(entry("operator", TEN, "f:status"), entry("user", ELEVEN, "f:spec"));

    assertThat(known.isInvalid()).isFalse();
  }

  /** After it has failed, its manager may have written another content with the old status. */
  @Test
  void whereOneManagerWritesContentTooItCountsOnlyOnceItIsSeenToChange() {
    assertThat(project(entry("operator", ELEVEN, BOTH)).isInvalid()).isFalse();

    assertThat(failedBefore().isInvalid()).isTrue();
    assertThat(failedBefore().writtenAt()).isEqualTo(Instant.parse(TEN).getEpochSecond());
  }

  @Test
  void oneThatWasSeenBeforeTheContentChangedCountsForNothingWhateverClocksSay() {
    var failed = project(entry("user", NINE, "f:spec"), entry("operator", ELEVEN, "f:status"));
    var corrected =
        object(1500, entry("user", TEN, "f:spec"), entry("operator", ELEVEN, "f:status"));

    assertThat(failed.isInvalid()).isTrue();
    assertThat(known(corrected, failed).isInvalid()).isFalse();
  }

  @Test
  void oneOfAnEarlierContentDoesNotCountWhenItsManagerWritesOtherFields() {
    var failed = project(entry("user", NINE, "f:spec"), entry("operator", NINE, "f:status"));
    var corrected =
        known(
            object(1500, entry("user", TEN, "f:spec"), entry("operator", NINE, "f:status")),
            failed);
    var heartbeat =
        object(1500, entry("user", TEN, "f:spec"), entry("operator", ELEVEN, "f:status"));

    assertThat(corrected.isInvalid()).isFalse();
    assertThat(known(heartbeat, corrected).isInvalid()).isFalse();
  }

  @Test
  void oneOfAnEarlierContentDoesNotCountWhereOneManagerWritesContentToo() {
    var corrected = object(1500, entry("operator", ELEVEN, BOTH));

    assertThat(known(corrected, failedBefore()).isInvalid()).isFalse();
  }

  @Test
  void oneOfAnObjectThatIsBeingDeletedDoesNotCount() {
    var object = object(1500, entry("user", NINE, "f:spec"), entry("operator", TEN, "f:status"));
    ((ObjectNode) object.path("metadata")).put("deletionTimestamp", TEN);

    assertThat(known(object, null).isInvalid()).isFalse();
  }

  @Test
  void ofTwoWithinASecondTheLaterOneCounts() {
    var failed = project(entry("user", NINE, "f:spec"), entry("operator", TEN, "f:status"));
    var works = object(9000, entry("user", NINE, "f:spec"), entry("operator", TEN, "f:status"));
    ((ObjectNode) works.path("status")).put("configStatus", "provisioned");

    assertThat(known(works, failed).writtenAt()).isGreaterThan(failed.writtenAt());
  }

  /** A definition that loses a field cuts it from what is stored; the generation stays. */
  @Test
  void itDoesNotCountForWhatAChangedDefinitionLeavesOfTheContent() {
    var failed = known(created(9000), null);

    var cut = known(created(1500), failed);

    assertThat(failed.isInvalid()).isTrue();
    assertThat(cut.isInvalid()).isFalse();
    assertThat(known(created(1500), cut).isInvalid()).as("when it is listed again").isFalse();
  }

  @Test
  void oneThatWasWrittenAnewCountsForTheNewContent() {
    var failed = project(entry("user", NINE, "f:spec"), entry("operator", TEN, "f:status"));
    var again = object(1500, entry("user", TEN, "f:spec"), entry("operator", ELEVEN, "f:status"));

    assertThat(known(again, failed).isInvalid()).isTrue();
  }

  @Test
  void whereNobodyTellsWhoWroteWhatItCountsOnlyOnceItIsSeenToChange() {
    var untold = project();
    var corrected = object(1500);

    assertThat(untold.isInvalid()).as("of a second generation").isFalse();
    assertThat(known(corrected, untold).isInvalid()).isFalse();
  }

  /** Clients clear managed fields; then the API server tracks none of the object's any more. */
  @Test
  void whereNobodyTellsWhenItIsOfTheTimeAtWhichItIsSeenToChange() {
    var pending = object(9000);
    ((ObjectNode) pending.path("status")).put("configStatus", "provisioning");

    var failed = known(object(9000), known(pending, null));

    assertThat(failed.isInvalid()).isTrue();
    assertThat(failed.details().time()).isEqualTo(ELEVEN);
    assertThat(failed.earliestWrittenAt()).isEqualTo(Instant.parse(ELEVEN).getEpochSecond());
  }

  /** A time that the object reports itself changes with no other field. */
  @Test
  void aFailureThatIsReportedLaterIsALaterFailure() {
    var intent = GuardReader.preset("t-caas-intent").getFirst();
    var first = intent(intent, NINE, NINE, null);
    var touched = intent(intent, TEN, NINE, first);
    var second = intent(intent, ELEVEN, ELEVEN, touched);

    assertThat(touched.writtenAt()).isEqualTo(first.writtenAt());
    assertThat(second.earliestWrittenAt()).isGreaterThan(first.writtenAt());
  }

  private static IndexedObject intent(
      Guard guard, String written, String reported, @Nullable IndexedObject before) {
    var object =
        json(
            """
            {"metadata":{"name":"worker-1","managedFields":[%s]},"spec":{"revision":"a"},
             "status":{"configStatus":"invalid","lastAppliedRevision":"a","lastUpdate":"%s"}}
            """
                .formatted(
                    entry("agent", written, "f:status\":{\"f:configStatus\":{}},\"x"), reported));
    return ObjectIndexer.index(
        guard, object, before, ObjectIndexer.Content.of(guard, object), Instant.parse(ELEVEN));
  }

  @Test
  void theContentOfARecordIsKeptToo() {
    var record = object(9000);
    ((ObjectNode) record.path("metadata"))
        .put("name", "worker-1-invalid")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "Node")
        .put("name", "worker-1");
    ((ObjectNode) record).remove("status");

    assertThat(ObjectIndexer.Content.of(guard, record).json()).contains("9000");
  }

  @Test
  void aHashThatIsOfAnotherContentIsSeen() {
    var hash = guard.identity().hash(object(9000)).toString();

    assertThat(project().hasStaleHash()).as("not stamped").isFalse();
    assertThat(known(stamped(9000, hash), null).hasStaleHash()).isFalse();
    assertThat(known(stamped(1500, hash), null).hasStaleHash()).isTrue();
  }

  private IndexedObject failedBefore() {
    var pending = object(9000, entry("operator", NINE, BOTH));
    ((ObjectNode) pending.path("status")).put("configStatus", "provisioning");
    return known(object(9000, entry("operator", TEN, BOTH)), known(pending, null));
  }

  private static JsonNode created(int mtu) {
    var object = object(mtu, entry("user", NINE, "f:spec"), entry("operator", TEN, "f:status"));
    ((ObjectNode) object.path("metadata")).put("generation", 1);
    return object;
  }

  private static JsonNode stamped(int mtu, String hash) {
    var object = object(mtu);
    ((ObjectNode) object.path("metadata"))
        .putObject("annotations")
        .put(ConfigHash.ANNOTATION, hash);
    return object;
  }

  private IndexedObject project(String... managed) {
    return known(object(9000, managed), null);
  }

  private IndexedObject known(JsonNode object, @Nullable IndexedObject before) {
    return ObjectIndexer.index(
        guard, object, before, ObjectIndexer.Content.of(guard, object), Instant.parse(ELEVEN));
  }

  private static String entry(String manager, String time, String fields) {
    return "{\"manager\":\"%s\",\"time\":\"%s\",\"fieldsV1\":{\"%s\":{}}}"
        .formatted(manager, time, fields);
  }

  private static JsonNode object(int mtu, String... managed) {
    return json(
        """
        {"metadata":{"name":"worker-1","generation":2,"creationTimestamp":"2026-11-21T09:00:00Z",
                     "managedFields":[%s]},
         "spec":{"layer2":[{"id":1,"mtu":%d}]},"status":{"configStatus":"invalid"}}
        """
            .formatted(String.join(",", managed), mtu));
  }
}
