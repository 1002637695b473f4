package dev.shipshape.plugin.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.plugin.release.Servers.Asked;
import dev.shipshape.service.BadSettings;
import dev.shipshape.webhook.config.WebhookSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a release whose pods are all ready; one metric is otherwise in each test. */
class ServerTroublesTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_000_000_000);

  /** Half of a leaf's life is over. */
  private static final String WEBHOOK =
      """
      shipshape_webhook_certificate_start_timestamp_seconds{certificate="leaf"} 9.95E8
      shipshape_webhook_certificate_expiry_timestamp_seconds{certificate="leaf"} 1.005E9
      shipshape_webhook_ca_bundle_matches{configuration="validating"} 1.0
      shipshape_webhook_ca_bundle_matches{configuration="mutating"} 1.0
      shipshape_webhook_index_synced{guard="nodeconfig"} 1.0
      shipshape_webhook_index_staleness_seconds{guard="nodeconfig"} 0.4
      """;

  private static final Renewal BY_DEFAULT = renewal("source: self-managed");

  private static final String JANITOR =
      """
      shipshape_janitor_settings_valid 1.0
      shipshape_janitor_rights_missing{task="prune"} 0.0
      shipshape_janitor_leader 1.0
      """;

  @Test
  void serversThatAreWellHaveNone() {
    assertThat(troubles(WEBHOOK, JANITOR)).isEmpty();
  }

  @Test
  void aCertificateThatHasEndedIsSaidThoughAnotherReplicaHasItsSuccessor() {
    var ended = WEBHOOK.replace("1.005E9", "9.99E8");

    assertThat(troubles(List.of(WEBHOOK, ended), List.of(JANITOR)))
        .containsExactly(
            "pod-2 serves a certificate whose leaf ended at 2001-08-28T12:00:00Z: the webhook"
                + " cannot be asked");
  }

  @Test
  void aCertificateThatWasToBeRenewedLongAgoIsSaid() {
    assertThat(troubles(WEBHOOK.replace("1.005E9", "1.0009E9"), JANITOR))
        .singleElement()
        .asString()
        .startsWith("pod-1 serves a certificate whose leaf ends at ")
        .endsWith(", and was to be renewed before");
  }

  @ParameterizedTest
  @CsvSource({
    "'source: self-managed', 16, 0",
    "'source: self-managed', 14, 1",
    "'source: self-managed, leaf: {life: 90d, renewal: 80d}', 6, 0",
    "'source: self-managed, leaf: {life: 90d, renewal: 80d}', 4, 1",
    "'source: self-managed, leaf: {life: 45d, renewal: 40d}', 6, 0",
    "'source: files', 4, 0", // Whoever renews it may do so late.
    "'source: files', 2, 1"
  })
  void aCertificateIsLateByWhenItIsToBeRenewed(String certificates, int days, int troubles) {
    var end = NOW.plus(Duration.ofDays(days));
    var ninetyDays =
        WEBHOOK
            .replace("9.95E8", "" + end.minus(Duration.ofDays(90)).getEpochSecond())
            .replace("1.005E9", "" + end.getEpochSecond());
    var found = new ServerTroubles(servers(List.of(ninetyDays), List.of()), NOW);

    assertThat(found.certificates(renewal(certificates))).hasSize(troubles);
  }

  @Test
  void aLongLifeIsLateAMonthBeforeItsEndAtTheEarliest() {
    var tenYears = Duration.ofDays(3650);

    assertThat(BY_DEFAULT.overdue("authority", tenYears)).isEqualTo(Duration.ofDays(30));
  }

  private static Renewal renewal(String certificates) {
    var settings =
        """
        apiVersion: shipshape.dev/v1
        guards: [{preset: nodeconfig}]
        certificates: {%s}
        """
            .formatted(certificates);
    try {
      return new Renewal(WebhookSettings.parse("webhook.yaml", settings).certificates());
    } catch (BadSettings e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aShortLifeOfWhichMuchIsLeftIsNoTrouble() {
    var brief = WEBHOOK.replace("9.95E8", "9.99999E8").replace("1.005E9", "1.000001E9");

    assertThat(troubles(brief, JANITOR)).isEmpty();
  }

  @Test
  void anAuthorityThatTheApiServerDoesNotTrustIsSaid() {
    var untrusted =
        WEBHOOK.replace(
            "matches{configuration=\"validating\"} 1.0",
            "matches{configuration=\"validating\"} 0.0");

    assertThat(troubles(untrusted, JANITOR))
        .containsExactly(
            "pod-1 serves a certificate that the validating configuration's caBundle does not"
                + " trust: it cannot be asked");
  }

  @Test
  void aConfigurationThatIsNotThereIsNotSaidOnceForEachReplica() {
    var untrusted = WEBHOOK.replace("\"mutating\"} 1.0", "\"mutating\"} 0.0");
    var troubles = new ServerTroubles(servers(List.of(untrusted), List.of()), NOW);

    assertThat(troubles.trust("validating"::equals)).isEmpty();
    assertThat(troubles.trust(_ -> true)).hasSize(1);
  }

  @Test
  void anIndexThatDoesNotFollowIsSaid() {
    assertThat(troubles(WEBHOOK.replace("} 0.4", "} 61.5"), JANITOR))
        .containsExactly("pod-1 has not followed the API server for 61 s (nodeconfig)");
  }

  @Test
  void anIndexThatWasNeverListedIsSaidUnlessThereIsNothingToList() {
    var unlisted =
        WEBHOOK.replace("synced{guard=\"nodeconfig\"} 1.0", "synced{guard=\"nodeconfig\"} 0.0");
    unlisted = unlisted.replace("} 0.4", "} 100.0");
    var troubles = new ServerTroubles(servers(List.of(unlisted), List.of()), NOW);

    assertThat(troubles.index("nodeconfig"::equals))
        .containsExactly("pod-1 has not listed what there is for nodeconfig, and puts calls off");
    assertThat(troubles.index(_ -> false)).isEmpty();
  }

  @Test
  void anIndexOfWhatTheClusterNoLongerServesIsNoTrouble() {
    var removed = WEBHOOK.replace("} 0.4", "} 3600.0");
    var troubles = new ServerTroubles(servers(List.of(removed), List.of()), NOW);

    assertThat(troubles.index(_ -> false)).isEmpty();
  }

  @Test
  void aJanitorThatCannotUseItsSettingsIsSaidAndNotThatItDoesNotLead() {
    var idle = JANITOR.replace("valid 1.0", "valid 0.0").replace("leader 1.0", "leader 0.0");

    assertThat(troubles(WEBHOOK, idle))
        .containsExactly("pod-1's janitor is idle: it cannot use its settings, see its log");
  }

  @Test
  void rightsThatAreMissingAreSaidOnceForAllReplicas() {
    var without = JANITOR.replace("} 0.0", "} 2.0");

    assertThat(troubles(List.of(WEBHOOK, WEBHOOK), List.of(without, without)))
        .containsExactly("the janitor lacks rights for its task prune: see its log");
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0.0, gone, 1", // A Lease keeps its holder's name.
    "2, 1.0, '', 0", // It leads since a moment ago.
    "3, 0.0, other, 0", // The holder may be the pod that could not be asked.
    "3, 0.0, '', 1",
    "0, 0.0, '', 0" // That nothing runs is said already.
  })
  void nobodyLeadsWhereAllWereAskedAndNoneDoesOrTheLeaseIsFree(
      int pods, String leads, String holder, int troubles) {
    var janitor = JANITOR.replace("leader 1.0", "leader " + leads);
    var servers =
        pods == 0
            ? new Servers(0, List.of(), List.of())
            : new Servers(
                pods, List.of(asked(1, WEBHOOK), asked(2, WEBHOOK)), List.of(asked(1, janitor)));
    var found = new ServerTroubles(servers, NOW);

    assertThat(found.janitorLeader(holder)).hasSize(troubles);
  }

  @Test
  void theFirstCertificateToEndIsTheOneThatIsShown() {
    var later = WEBHOOK.replace("1.005E9", "1.006E9");
    var none = WEBHOOK.replace("1.005E9", "NaN");

    assertThat(servers(List.of(later, WEBHOOK, none), List.of()).firstExpiry())
        .hasValue(Instant.ofEpochSecond(1_005_000_000));
  }

  @Test
  void aRunThatOnlyReportsIsNoPrune() {
    var reported =
        JANITOR
            + """
            shipshape_janitor_prune_last_success_timestamp_seconds 9.9999E8
            shipshape_janitor_prune_runs_total{ending="reported"} 3.0
            shipshape_janitor_prune_runs_total{ending="done"} 0.0
            """;
    var done = reported.replace("} 3.0", "} 0.0").replace("done\"} 0.0", "done\"} 1.0");

    assertThat(servers(List.of(), List.of(reported)).lastPrune()).isEmpty();
    assertThat(servers(List.of(), List.of(reported)).lastReport())
        .hasValue(Instant.ofEpochSecond(999_990_000));
    assertThat(servers(List.of(), List.of(done, JANITOR)).lastPrune())
        .hasValue(Instant.ofEpochSecond(999_990_000));
    assertThat(servers(List.of(), List.of(done)).lastReport()).isEmpty();
  }

  private static Stream<String> troubles(String webhook, String janitor) {
    return troubles(List.of(webhook), List.of(janitor));
  }

  private static Stream<String> troubles(List<String> webhooks, List<String> janitors) {
    var found = new ServerTroubles(servers(webhooks, janitors), NOW);
    return Stream.of(
            found.certificates(BY_DEFAULT),
            found.trust(_ -> true),
            found.index(_ -> true),
            found.idleJanitors(),
            found.janitorLeader("pod-1"))
        .flatMap(lines -> lines);
  }

  private static Servers servers(List<String> webhooks, List<String> janitors) {
    return new Servers(Math.max(webhooks.size(), janitors.size()), all(webhooks), all(janitors));
  }

  private static List<Asked> all(List<String> metrics) {
    return Stream.iterate(0, number -> number < metrics.size(), number -> number + 1)
        .map(number -> asked(number + 1, metrics.get(number)))
        .toList();
  }

  private static Asked asked(int pod, String metrics) {
    return new Asked("pod-" + pod, Exposition.parse(metrics));
  }
}
