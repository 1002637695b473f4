package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shipshape.janitor.prune.Throughput;
import dev.shipshape.janitor.restart.OperatorSettings;
import dev.shipshape.janitor.restart.RestartGovernor;
import dev.shipshape.janitor.restart.RestartSettings;
import dev.shipshape.janitor.restart.Signature;
import dev.shipshape.janitor.restart.Workload;
import dev.shipshape.janitor.session.RestEndpoint;
import dev.shipshape.janitor.session.Source;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import java.net.URI;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JanitorSettingsTest {
  @Test
  void theServiceIsLookedForBesideItsSessionsUnlessItsAddressIsGiven() throws BadSettings {
    assertThat(read("sessions: {namespace: cfs}").rest().address())
        .hasToString("http://cray-cfs-api.cfs");
    assertThat(
            read("sessions: {namespace: cfs, rest: {address: 'https://a.b/c'}}").rest().address())
        .hasToString("https://a.b/c");
  }

  @Promise(value = "Without settings, the janitor only reports.", breaks = "A default that arms.")
  @Test
  void withoutAnyFieldTheJanitorOnlyReports() throws BadSettings {
    var settings = read("");
    assertThat(settings.prune().armed()).isFalse();
    assertThat(settings.restartArmed()).isFalse();
    assertThat(settings.sessionsNamespace()).isEqualTo("services");
    assertThat(settings.source()).isEqualTo(Source.AUTO);
    assertThat(settings.rest())
        .isEqualTo(new RestEndpoint(URI.create("http://cray-cfs-api.services"), null, null));
    var policy = settings.prune().policy();
    assertThat(policy.olderThan()).isEqualTo(Duration.ofDays(7));
    assertThat(policy.olderThanFailed()).isEqualTo(Duration.ofDays(28));
    assertThat(policy.grace()).isEqualTo(Duration.ofMinutes(5));
    assertThat(policy.imageResults()).isFalse();
    assertThat(policy.keepNewest()).isZero();
    assertThat(policy.maxPerRun()).isEqualTo(2000);
    assertThat(policy.maxPercent()).isNull();
    assertThat(policy.clockTolerance()).isEqualTo(Duration.ofSeconds(60));
    assertThat(settings.operators()).hasSize(1);
    var operator = settings.operators().getFirst();
    assertThat(operator.name()).isEqualTo("cray-cfs-operator");
    assertThat(operator.ownsSessions()).isTrue();
    assertThat(operator.signature()).isEqualTo(Signature.shipped("cfs-1.3"));
    assertThat(settings.restart().checkEvery()).isEqualTo(Duration.ofSeconds(30));
    assertThat(operator.governor())
        .isEqualTo(
            new RestartGovernor(
                Duration.ofMinutes(15), Duration.ofHours(4), 2, 6, Duration.ofSeconds(60)));
    assertThat(settings.restart().prometheus()).isNull();
    assertThat(operator.silenceArmed()).isFalse();
    assertThat(operator.silenceAfter()).isEqualTo(Duration.ofMinutes(10));
    assertThat(settings.managementPort()).isEqualTo(8081);
  }

  /** The path of each request would become a part of it. */
  @ParameterizedTest
  @ValueSource(strings = {"https://host?x=y", "http://host/path#part"})
  void anAddressWithMoreThanAPathIsRefused(String address) {
    assertThatExceptionOfType(BadSettings.class)
        .isThrownBy(() -> read("sessions: {rest: {address: '%s'}}".formatted(address)))
        .withMessageContaining("not an address like http://host:port/path");
  }

  /** It would not be sent, but shown in logs, Events and the status. */
  @ParameterizedTest
  @ValueSource(strings = {"https://janitor:s3cret@host", "janitor:s3cret@host", "//u:s3c^ret@h"})
  void aPasswordInAnAddressIsRefusedAndNotShown(String address) {
    for (var section :
        List.of(
            "sessions: {rest: {address: '%s'}}",
            "restart: {maintenance: {prometheus: '%s', query: up == 0}}")) {
      assertThatExceptionOfType(BadSettings.class)
          .isThrownBy(() -> read(section.formatted(address)))
          .satisfies(
              bad ->
                  assertThat(bad.problems())
                      .singleElement()
                      .asString()
                      .contains("tokenFile")
                      .doesNotContain("s3c"));
    }
  }

  @Test
  void everyFieldIsRead() throws BadSettings {
    var settings =
        read(
            """
            sessions:
              namespace: cfs
              source: rest-v3
              rest: {address: "https://cfs.example.com/apis/cfs", tokenFile: /var/run/token, authorityFile: /var/run/ca.crt}
            prune:
              armed: true
              schedule: "0 0 3 ? * MON-FRI"
              zone: Europe/Berlin
              blackout: [{from: 22:00, to: 06:00, days: [fri, sat], zone: UTC}]
              olderThan: 36h
              olderThanFailed: 3d
              grace: 10m
              imageResults: true
              keepNewest: 20
              maxPerRun: 100
              maxPercent: 50
              clockTolerance: 30s
              workers: 4
              deletesPerSecond: 10
              waitUntilGone: 5m
            signatures:
            - {name: own, advice: Restart it., failure: [lost], progress: [found]}
            operators:
            - name: cfs
              namespace: operators
              workload: {kind: StatefulSet, name: cfs-operator}
              container: main
              signature: cfs-1.3
              window: 1m
              failureThreshold: 3
              ownsSessions: true
              silence: {armed: true, after: 20m}
            - {name: other, namespace: others, container: manager, signature: own, armed: false, limits: {cooldown: 30m, longestCooldown: 40m, perHour: 2, perDay: 4}}
            restart:
              armed: true
              checkEvery: 10s
              cooldown: 20m
              longestCooldown: 2h
              perHour: 1
              perDay: 3
              maintenance:
                prometheus: https://prometheus.example.com/prefix
                query: ALERTS{alertname="Maintenance"}
                tokenFile: /var/run/prometheus
                authorityFile: /etc/prometheus/ca.crt
            management: {port: 0}
            """);
    assertThat(settings.sessionsNamespace()).isEqualTo("cfs");
    assertThat(settings.source()).isEqualTo(Source.REST_V3);
    assertThat(settings.rest())
        .isEqualTo(
            new RestEndpoint(
                URI.create("https://cfs.example.com/apis/cfs"),
                Path.of("/var/run/token"),
                Path.of("/var/run/ca.crt")));
    var prune = settings.prune();
    assertThat(prune.armed()).isTrue();
    assertThat(prune.schedule())
        .isEqualTo(
            new Schedule(
                "0 0 3 ? * MON-FRI",
                ZoneId.of("Europe/Berlin"),
                List.of(
                    new BlackoutWindow(
                        LocalTime.of(22, 0),
                        LocalTime.of(6, 0),
                        Set.of(DayOfWeek.FRIDAY, DayOfWeek.SATURDAY),
                        ZoneId.of("UTC")))));
    assertThat(prune.policy().olderThan()).isEqualTo(Duration.ofHours(36));
    assertThat(prune.policy().olderThanFailed()).isEqualTo(Duration.ofDays(3));
    assertThat(prune.policy().grace()).isEqualTo(Duration.ofMinutes(10));
    assertThat(prune.policy().imageResults()).isTrue();
    assertThat(prune.policy().keepNewest()).isEqualTo(20);
    assertThat(prune.policy().maxPerRun()).isEqualTo(100);
    assertThat(prune.policy().maxPercent()).isEqualTo(50);
    assertThat(prune.policy().clockTolerance()).isEqualTo(Duration.ofSeconds(30));
    assertThat(prune.throughput()).isEqualTo(new Throughput(4, 10, Duration.ofSeconds(1)));
    assertThat(prune.deadline()).isEqualTo(Duration.ofMinutes(5));
    assertThat(settings.restart())
        .isEqualTo(
            new RestartSettings(
                Duration.ofSeconds(10),
                new RestEndpoint(
                    URI.create("https://prometheus.example.com/prefix"),
                    Path.of("/var/run/prometheus"),
                    Path.of("/etc/prometheus/ca.crt")),
                "ALERTS{alertname=\"Maintenance\"}"));
    assertThat(settings.operators())
        .containsExactly(
            new OperatorSettings(
                "cfs",
                new Workload(Workload.Kind.STATEFULSET, "operators", "cfs-operator"),
                "main",
                Signature.shipped("cfs-1.3").with(3, Duration.ofMinutes(1)),
                true,
                true,
                Duration.ofMinutes(20),
                true,
                new RestartGovernor(
                    Duration.ofMinutes(20), Duration.ofHours(2), 1, 3, Duration.ofSeconds(30))),
            new OperatorSettings(
                "other",
                new Workload(Workload.Kind.DEPLOYMENT, "others", "other"),
                "manager",
                SettingsReader.parse(
                    "own.yaml",
                    "{apiVersion: shipshape.dev/v1, name: own, advice: Restart it., failure:"
                        + " [lost], progress: [found]}",
                    Signature::read),
                false,
                false,
                Duration.ofMinutes(10),
                false,
                new RestartGovernor(
                    Duration.ofMinutes(30), Duration.ofMinutes(40), 2, 4, Duration.ofSeconds(30))));
    assertThat(settings.restartArmed()).isTrue();
    assertThat(settings.managementPort()).isZero();
  }

  @Test
  void failedSessionsAreKeptFourTimesAsLongUnlessThatIsSaidAndNeverShorter() throws BadSettings {
    assertThat(read("prune: {olderThan: 3d}").prune().policy().olderThanFailed())
        .isEqualTo(Duration.ofDays(12));
    assertThatExceptionOfType(BadSettings.class)
        .isThrownBy(() -> read("prune: {olderThan: 3d, olderThanFailed: 71h}"))
        .withMessageContaining("prune.olderThanFailed: must not be shorter than olderThan");
  }

  @Test
  void whatWouldOnlyFailAtTheStartIsAMistakeToo() {
    assertThat(
            problems(
                """
                sessions: {namespace: "a/b"}
                restart: {checkEvery: PT0.0005S}
                """))
        .hasSize(2)
        .satisfiesExactly(
            p -> assertThat(p).contains("sessions.namespace: not a Kubernetes name"),
            p -> assertThat(p).contains("restart.checkEvery: must be 1s or more"));
  }

  @Test
  void theOperatorIsLookedAtAsOftenAsTheAlertsPresume() throws BadSettings {
    assertThat(read("restart: {checkEvery: 120s}").restart().checkEvery())
        .isEqualTo(Duration.ofMinutes(2));
    assertThat(problems("restart: {checkEvery: 121s}"))
        .singleElement()
        .asString()
        .contains("restart.checkEvery: must be 2m or less: the alerts assume it");
  }

  @Test
  void aTokenGoesOverHttpOnlyWhereThatIsSaid() throws BadSettings {
    var overHttp = "sessions: {rest: {tokenFile: a%s}}";
    assertThatExceptionOfType(BadSettings.class)
        .isThrownBy(() -> read(overHttp.formatted("")))
        .withMessageContaining("sessions.rest.tokenFile: would send a token over http");
    assertThat(read(overHttp.formatted(", insecureToken: true")).rest().tokenFile()).isNotNull();
    assertThatExceptionOfType(BadSettings.class)
        .isThrownBy(
            () -> read("restart: {maintenance: {prometheus: 'http://p', query: up, tokenFile: a}}"))
        .withMessageContaining("restart.maintenance.tokenFile");
  }

  @Test
  void operatorsThatCannotBeMeantAreMistakes() {
    assertThat(
            problems(
                """
                signatures:
                - {name: own, advice: a, failure: ["a(b"]}
                operators:
                - {name: a, namespace: n, container: c, signature: cfs-1}
                - {name: b, namespace: n, container: c, signature: kopf, workload: {name: a}}
                - {name: a, namespace: m, container: c, signature: kopf}
                - {name: d, namespace: n, container: c, signature: kopf, workload: {kind: Job}}
                - {name: e, namespace: n, container: c, signature: kopf, silence: {armed: true}}
                - {namespace: n}
                - {name: g, container: c, signature: kopf, ownsSessions: true}
                - {name: h, container: c, signature: kopf, ownsSessions: true}
                """))
        .satisfiesExactlyInAnyOrder(
            p ->
                assertThat(p)
                    .startsWith("janitor.yaml:3: signatures[0].failure[0]: does not compile "),
            p -> assertThat(p).contains("signatures[0].failure: must have a pattern"),
            p ->
                assertThat(p)
                    .startsWith(
                        "janitor.yaml:5: operators[0].signature: there is no signature cfs-1;")
                    .endsWith("own, " + String.join(", ", Signature.SHIPPED)),
            p ->
                assertThat(p)
                    .startsWith(
                        "janitor.yaml:6: operators[1].workload: there are two operators for")
                    .endsWith("deployment n/a"),
            p -> assertThat(p).contains(":7: operators[2].name: there are two operators a"),
            p ->
                assertThat(p)
                    .contains(":8: operators[3].workload.kind: \"Job\" cannot be restarted"),
            p -> assertThat(p).contains(":9: operators[4].silence: is for an operator with"),
            p -> assertThat(p).contains(":10: operators[5].name: is required"),
            p -> assertThat(p).contains(":10: operators[5].container: is required"),
            p -> assertThat(p).contains(":10: operators[5].signature: is required"),
            p -> assertThat(p).contains(":12: operators[7].ownsSessions: is already true for"));
  }

  /** The chart's memory is enough for it. */
  @Test
  void moreDeletionsInARunThanTheMemoryIsEnoughForAreAMistake() throws BadSettings {
    assertThat(read("prune: {maxPerRun: 20000}").prune().policy().maxPerRun()).isEqualTo(20_000);
    assertThat(problems("prune: {maxPerRun: 20001}"))
        .singleElement()
        .asString()
        .contains("prune.maxPerRun: ", "20000");
  }

  @Test
  void anOperatorThatARestartDoesNotCureIsNeverArmed() throws BadSettings {
    var settings =
        read(
            """
            operators: [{name: a, namespace: n, container: c, signature: cfs-1.4, armed: true}]
            restart: {armed: true}
            """);
    assertThat(settings.restartArmed()).isFalse();
  }

  @Test
  void theWindowOfAnOperatorWithoutSessionsMayBeLongerThanTheSilenceOfOneWithSome()
      throws BadSettings {
    var settings =
        read("operators: [{name: a, namespace: n, container: c, signature: kopf, window: 12m}]\n");

    assertThat(settings.operators().getFirst().signature().window())
        .isEqualTo(Duration.ofMinutes(12));
  }

  @Test
  void aBlackoutThatCannotBeMeantIsAMistake() {
    assertThat(
            problems(
                """
                prune:
                  blackout:
                  - {from: 25:00, to: 06:00}
                  - {from: 08:00, to: 08:00}
                  - {from: 08:00, to: 09:00, days: [monday]}
                  - {from: 08:00}
                """))
        .satisfiesExactly(
            p -> assertThat(p).startsWith("janitor.yaml:4: prune.blackout[0].from: not a time"),
            p -> assertThat(p).contains("prune.blackout[1].to: must not be the same as from"),
            p -> assertThat(p).contains("prune.blackout[2].days[0]: not one of mon, tue"),
            p -> assertThat(p).contains("prune.blackout[2].days: must name a day"),
            p -> assertThat(p).contains("prune.blackout[3].to: is required"));
    assertThat(problems("prune: {blackout: [{from: 00:00, to: 24:00}]}"))
        .singleElement()
        .asString()
        .contains("prune.blackout: excludes every run of the schedule");
  }

  @Test
  void whatWouldRestartTooSoonOrAskNobodyIsAMistake() {
    assertThat(
            problems(
                """
                operators:
                - name: a
                  namespace: b
                  container: c
                  signature: cfs-1.3
                  ownsSessions: true
                  silence: {after: 1m}
                restart:
                  maintenance: {prometheus: "prometheus:9090", query: " "}
                """))
        .satisfiesExactly(
            p -> assertThat(p).contains(":8: operators[0].silence.after: must not be shorter"),
            p -> assertThat(p).contains(":10: restart.maintenance.query: must not be empty"),
            p -> assertThat(p).contains(":10: restart.maintenance.prometheus: not an address"));
    assertThat(problems("restart: {maintenance: {}}")).hasSize(2);
  }

  @Test
  void everyMistakeIsListedWithItsLineAndField() {
    var problems =
        problems(
            """
            sessions: {namespace: "a/../b"}
            prune:
              olderThan: 7
              grace: 1s
              schedule: "* * *"
              zone: Mars/Olympus
              maxPercent: 0
              armd: true
              archive: {folder: /a, maxSize: 0Mi}
            operators: [{name: a, namespace: b, container: c, signature: cfs-1.3, failureThreshold: 1}]
            restart: {cooldown: 1m}
            """);
    assertThat(problems)
        .hasSize(10)
        .satisfiesExactly(
            p -> assertThat(p).startsWith("janitor.yaml:2: sessions.namespace: "),
            p -> assertThat(p).startsWith("janitor.yaml:4: prune.olderThan: not a duration: \"7\""),
            p -> assertThat(p).startsWith("janitor.yaml:5: prune.grace: must be 1m or more"),
            p -> assertThat(p).startsWith("janitor.yaml:6: prune.schedule: not a Quartz cron"),
            p -> assertThat(p).startsWith("janitor.yaml:7: prune.zone: not an IANA time zone"),
            p -> assertThat(p).startsWith("janitor.yaml:8: prune.maxPercent: "),
            p -> assertThat(p).startsWith("janitor.yaml:9: prune.armd: unknown field"),
            p ->
                assertThat(p)
                    .startsWith("janitor.yaml:10: prune.archive.maxSize: must be a size such as"),
            p -> assertThat(p).startsWith("janitor.yaml:11: operators[0].failureThreshold: "),
            p ->
                assertThat(p)
                    .startsWith(
                        "janitor.yaml:11: operators[0].signature: the cooldown, 1m 0s, must"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0 60 * * * ? | Minute and Second values must be between 0 and 59",
        "0 0 0 ? FOO * | Invalid Month value",
        "0 0 0 * * * | write ? for day or weekday: Support for specifying both",
        "0 0 0 ? * , | not a Quartz cron expression",
        "0 0 0 * * | whose fields are seconds, minutes",
        "0 0 0 30 2 ? | never fires"
      })
  void aScheduleThatQuartzDoesNotTakeIsAMistake(String cron, String problem) {
    assertThat(problems("prune: {schedule: '%s'}".formatted(cron)))
        .singleElement()
        .asString()
        .contains("prune.schedule: ", problem, cron);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0 0/15 * * * ?",
        "0,30 5-10/2 */6 L * ?",
        "0 0 3 ? * MON-FRI",
        "0 0 3 ? JAN,jul 6L",
        "0 0 3 LW * ? 2099",
        "0 0 3 15W * ?",
        "0 0 3 L-3 * ?",
        "0 0 3 ? * 6#3 2027-2031/2",
        "0 0 3 ? * fri#1"
      })
  void whatQuartzKnowsIsASchedule(String cron) throws BadSettings {
    assertThat(read("prune: {schedule: '%s'}".formatted(cron)).prune().schedule().cron())
        .isEqualTo(cron);
  }

  private static List<String> problems(String yaml) {
    return catchThrowableOfType(BadSettings.class, () -> read(yaml)).problems();
  }

  private static JanitorSettings read(String yaml) throws BadSettings {
    return SettingsReader.parse(
        "janitor.yaml", "apiVersion: shipshape.dev/v1\n" + yaml, JanitorSettings::from);
  }
}
