package dev.shipshape.webhook.validation;

import static dev.shipshape.webhook.Reviews.bytes;
import static dev.shipshape.webhook.Reviews.creation;
import static dev.shipshape.webhook.Reviews.nodeConfig;
import static dev.shipshape.webhook.Reviews.record;
import static dev.shipshape.webhook.Reviews.update;
import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.service.SettingsReader;
import dev.shipshape.webhook.TestingGuards;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.AdmissionResponse;
import dev.shipshape.webhook.admission.AdmissionResponse.Allowed;
import dev.shipshape.webhook.admission.AdmissionResponse.Rejected;
import dev.shipshape.webhook.admission.Decoded;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.admission.ReviewDecoder;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.Scope;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Only who is named may say what is known invalid, or what a node may go back to. */
class RecordWritersTest {
  private static final String BAD = "{\"layer2\":[{\"id\":1}]}";
  private static final String GOOD = "{\"layer2\":[{\"id\":2}]}";
  private static final String OPERATOR = "system:serviceaccount:network:operator";

  private TestingGuards guards;

  @BeforeEach
  void guard() throws Exception {
    var settings =
        "{apiVersion: shipshape.dev/v1, guards: [{preset: nodeconfig, recordWriters: ['%s']}]}"
            .formatted(OPERATOR);
    guards =
        new TestingGuards(SettingsReader.parse("test", settings, GuardReader::read).getFirst());
  }

  @ParameterizedTest
  @ValueSource(strings = {"-invalid", "-backup"})
  void anybodyElsesRecordIsRefused(String suffix) {
    var owned = record("worker-1", suffix, BAD);
    var ownerless = nodeConfig("worker-1" + suffix, BAD);

    for (var write :
        new String[] {
          creation(owned), creation(ownerless), update(owned, record("worker-1", suffix, GOOD))
        }) {
      var rejected = (Rejected) decide(write);
      assertThat(rejected.reason()).isEqualTo(Reason.NOT_A_RECORD_WRITER);
      assertThat(rejected.message()).contains(OPERATOR, "guard.recordWriters");
      assertThat(decide(write.replace("\"jane\"", "\"" + OPERATOR + "\"")))
          .isEqualTo(AdmissionResponse.allow(Reason.RECORD));
    }
  }

  @Test
  void whatChangesNoConfigurationPasses() {
    var stored = record("worker-1", "-invalid", BAD);

    assertThat(
            decide(
                update(
                    stored.replace(
                        "\"name\":\"worker-1-invalid\"",
                        "\"labels\":{\"a\":\"b\"},\"name\":\"worker-1-invalid\""),
                    stored)))
        .isEqualTo(AdmissionResponse.allow(Reason.UNCHANGED));
  }

  @Test
  void aRecordNeedsNoOwner() {
    guards.holding(nodeConfig("worker-1-invalid", BAD));

    assertThat(decide(creation(nodeConfig("worker-2", BAD)))).isInstanceOf(Rejected.class);
  }

  @Test
  void auditModeOnlyWarns() {
    var audit = new AuditHandler(guards.decider(Scope.CLUSTER));

    var allowed = (Allowed) audit.handle(read(creation(record("worker-1", "-backup", BAD))));

    assertThat(allowed.reason()).isEqualTo(Reason.WOULD_BE_REFUSED);
    assertThat(allowed.warning()).contains("recordWriters").hasSizeLessThan(120);
  }

  private AdmissionResponse decide(String review) {
    return guards.decider(Scope.CLUSTER).handle(read(review));
  }

  private static AdmissionRequest read(String review) {
    return ((Decoded.Request) ReviewDecoder.decode(bytes(review))).request();
  }
}
