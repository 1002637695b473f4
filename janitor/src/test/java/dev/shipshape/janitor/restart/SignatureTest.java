package dev.shipshape.janitor.restart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.shipshape.service.BadSettings;
import dev.shipshape.service.SettingsReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

class SignatureTest {
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
  private static final String OWN =
      """
      apiVersion: shipshape.dev/v1
      name: own
      advice: Restart it.
      failure: ['connection lost']
      progress: ['^handled ']
      failureThreshold: 3
      window: 1m
      """;
  static final List<String> SHIPPED = Signature.SHIPPED;

  @ParameterizedTest
  @FieldSource("SHIPPED")
  void eachShippedSignatureCanBeReadAndBearsItsName(String name) {
    assertThat(Signature.shipped(name).name()).isEqualTo(name);
    assertThat(Signature.shipped(name).advice()).endsWith(".");
  }

  /** The chart grants no right to restart for these. */
  @Test
  void theChartKnowsWhichShippedSignaturesARestartDoesNotCure() throws IOException {
    var reported =
        SHIPPED.stream()
            .filter(name -> Signature.shipped(name).remedy() == Signature.Remedy.REPORT)
            .map("\"%s\" \"report\""::formatted)
            .collect(Collectors.joining(" "));
    assertThat(Files.readString(Path.of("../chart/templates/_roles.tpl")))
        .contains("$remedies := dict " + reported + " -");
  }

  @Test
  void aPatternThatDoesNotCompileIsToldWithItsPlaceAndItsWrongPart() {
    assertThat(problems(OWN.replace("'connection lost'", "'lost', 'a**', 'a(b', '(?=x)'")))
        .satisfiesExactly(
            p ->
                assertThat(p)
                    .startsWith("own.yaml:4: failure[1]: does not compile ")
                    .contains("**"),
            p ->
                assertThat(p)
                    .startsWith("own.yaml:4: failure[2]: does not compile ")
                    .contains("a(b"),
            p ->
                assertThat(p)
                    .startsWith("own.yaml:4: failure[3]: does not compile ")
                    .contains("(?="));
  }

  @Test
  void whatIsMissingOrContradictsIsAMistake() {
    assertThat(
            problems(
                "apiVersion: shipshape.dev/v1\nresolveAfter: 5m\nplain: true\nmessageField: a\n"))
        .satisfiesExactlyInAnyOrder(
            p -> assertThat(p).contains("name: is required"),
            p -> assertThat(p).contains("advice: is required"),
            p -> assertThat(p).contains("failure: must have a pattern"),
            p -> assertThat(p).contains("messageField: is for JSON"),
            p -> assertThat(p).contains("resolveAfter: must not be longer than window"));
    assertThat(problems(OWN.replace("'^handled '", "''")))
        .singleElement()
        .asString()
        .contains("progress[0]: must not be empty");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "false | E1125 11:59:50.123456       1 reflector.go:205] connection lost |"
            + " I1125 11:59:50.123456       1 main.go:7] handled a",
        "false | 11:59:50.123 [main] WARN connection lost | 11:59:50.123 [main] INFO handled a",
        "false | [main] ERROR connection lost | [main] INFO handled a",
        "false | {\"level\":\"error\",\"msg\":\"connection lost\"} | {\"msg\":\"handled a\"}",
        "true | connection lost | handled a",
        "false | 2026-11-25T11:59:50Z\tERROR\tconnection lost |"
            + " 2026-11-25T11:59:50Z\tINFO\thandled a",
        "false | {\"level\":\"error\",\"msg\":\"failed\",\"error\":\"connection lost\"} |"
            + " {\"level\":\"info\",\"msg\":\"handled a\"}",
        "false | level=warn ts=2026-11-25T11:59:50.1Z caller=a.go:1 msg=\"connection lost\" |"
            + " {\"log.level\":\"INFO\",\"message\":\"handled a\"}",
      })
  void eachFrameIsTakenOff(boolean plain, String failure, String progress) throws BadSettings {
    var signature =
        SettingsReader.parse("own.yaml", OWN + "plain: " + plain + "\n", Signature::read);
    var scan = new LogScan(signature, NOW.minusSeconds(60), NOW);
    for (var i = 9; i > 6; i--) {
      assertThat(scan.accept(NOW.minusSeconds(i), failure)).isEqualTo(LogScan.Role.FAILURE);
    }
    assertThat(scan.diagnosis()).extracting(Diagnosis::kind).isEqualTo(Diagnosis.Kind.STUCK);
    assertThat(scan.accept(NOW.minusSeconds(1), progress)).isEqualTo(LogScan.Role.PROGRESS);
    assertThat(scan.diagnosis()).extracting(Diagnosis::kind).isEqualTo(Diagnosis.Kind.RECOVERED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "level=info ts=2026-11-25T11:59:50.1Z caller=a.go:1 msg=\"connection lost\"",
        "{\"log.level\":\"INFO\",\"message\":\"connection lost\"}",
        "2026-11-25 11:59:50,123 - watcher - INFO - connection lost",
        "2026-11-25 11:59:50,123 [pool-1 thread-2] DEBUG o.w.Watcher - connection lost",
        "[2026-11-25 11:59:50,123] kopf.objects         [INFO    ] connection lost",
        "2026/11/25 11:59:50 [INFO] connection lost",
        "2026-11-25 11:59:50.430 +00:00 [INF] (Reflector) connection lost",
        "{\"level\":30,\"msg\":\"connection lost\"}",
        "1.7950e+09\tINFO\tcontroller-runtime\tconnection lost"
      })
  void aLineOfLevelInfoOnlyQuotes(String line) throws BadSettings {
    var scan =
        new LogScan(
            SettingsReader.parse("own.yaml", OWN, Signature::read), NOW.minusSeconds(60), NOW);
    assertThat(scan.accept(NOW, line)).isEqualTo(LogScan.Role.QUOTE);
  }

  /** The reflector of newer versions, on controller-runtime. */
  @Test
  void theCauseInAFieldOfItsOwnBelongsToTheMessage() {
    var scan = new LogScan(Signature.shipped("client-go"), NOW.minusSeconds(60), NOW);
    assertThat(
            scan.accept(
                NOW, "{\"level\":\"error\",\"msg\":\"Failed to watch\",\"err\":\"Get x: EOF\"}"))
        .isEqualTo(LogScan.Role.FAILURE);
  }

  /** As Quarkus writes it. */
  @Test
  void theCauseMayBeAnObject() {
    var scan = new LogScan(Signature.shipped("fabric8"), NOW.minusSeconds(60), NOW);
    assertThat(
            scan.accept(
                NOW,
                "{\"level\":\"WARN\",\"message\":\"listSyncAndWatch failed for v1/pods, will"
                    + " retry\",\"exception\":{\"refId\":1,\"message\":\"pods is forbidden: User"
                    + " x\"}}"))
        .isEqualTo(LogScan.Role.EXCEPTION);
  }

  /** Before client-go 0.33, of operators that know no Go types for their kinds. */
  @Test
  void theReflectorNamesAKindWithoutATypeOtherwise() {
    var scan = new LogScan(Signature.shipped("client-go"), NOW.minusSeconds(60), NOW);
    assertThat(
            scan.accept(
                NOW,
                "E1130 12:36:31.502500 1 reflector.go:147] pkg/mod/k8s.io/client-go@v0.28.15:"
                    + " Failed to watch cert-manager.io/v1, Kind=Certificate: failed to list"
                    + " cert-manager.io/v1, Kind=Certificate: Get \"https://10.0.0.1/apis\": dial"
                    + " tcp 10.0.0.1:443: connect: connection refused"))
        .isEqualTo(LogScan.Role.FAILURE);
  }

  @Test
  void onlyTheReflectorsOwnListsAndWatchesCount() {
    var scan = new LogScan(Signature.shipped("client-go"), NOW.minusSeconds(60), NOW);
    assertThat(
            scan.accept(
                NOW,
                "{\"level\":\"error\",\"msg\":\"failed to list objects in bucket\",\"error\":\"Get"
                    + " x: connection refused\"}"))
        .isEqualTo(LogScan.Role.NONE);
  }

  /** As while an API server is restarted, or a load balancer drops idle connections. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kubernetes-python | 2026-11-25 11:59:50,123 ERROR urllib3.exceptions.ProtocolError",
        "kopf | 2026-11-25 11:59:50,123 [ERROR] Request attempt #1/9 failed; will retry: GET"
            + " https://api/",
        "fabric8 | 2026-11-25 11:59:50,123 WARN listSyncAndWatch failed for v1/pods, will retry"
      })
  void watchesThatEndAtOnceAreNoStuckOperatorUnlessThatGoesOn(String name, String line) {
    var scan = new LogScan(Signature.shipped(name), NOW.minusSeconds(120), NOW);
    for (var i = 100; i > 80; i -= 2) {
      scan.accept(NOW.minusSeconds(i), line);
    }
    var atFirst = new LogScan(Signature.shipped(name), NOW.minusSeconds(150), NOW.minusSeconds(50));
    for (var i = 100; i > 80; i -= 2) {
      atFirst.accept(NOW.minusSeconds(i), line);
    }
    for (var i = 80; i > 0; i -= 10) {
      scan.accept(NOW.minusSeconds(i), line);
    }
    assertThat(atFirst.diagnosis()).isEqualTo(Diagnosis.failing(10));
    assertThat(scan.diagnosis().kind()).isEqualTo(Diagnosis.Kind.STUCK);
  }

  @Test
  void anotherRecordTakesNoFailureBack() {
    var scan = new LogScan(Signature.shipped("kubernetes-python"), NOW.minusSeconds(120), NOW);
    for (var i = 100; i > 0; i -= 5) {
      var time = NOW.minusSeconds(i);
      scan.accept(
          time, "2026-11-25 11:59:50,123 ERROR kubernetes.client.exceptions.ApiException: (410)");
      scan.accept(time, "2026-11-25 11:59:50,124 ERROR could not write: failed calling webhook");
      scan.accept(time, "kubernetes.client.exceptions.ApiException: (500)");
      scan.accept(time, "HTTP response body: failed calling webhook");
    }
    assertThat(scan.diagnosis().kind()).isEqualTo(Diagnosis.Kind.STUCK);
  }

  @Test
  void anotherFieldMayHoldTheMessage() throws BadSettings {
    var signature = SettingsReader.parse("own.yaml", OWN + "messageField: text\n", Signature::read);
    var scan = new LogScan(signature, NOW.minusSeconds(60), NOW);
    assertThat(scan.accept(NOW, "{\"msg\":\"connection lost\",\"text\":\"a\"}"))
        .isEqualTo(LogScan.Role.NONE);
    assertThat(scan.accept(NOW, "{\"text\":\"connection lost\"}")).isEqualTo(LogScan.Role.FAILURE);
  }

  /** Most say nothing when they work again. */
  @Test
  void failuresThatHaveEndedAreNoStuckOperatorEvenWithoutALineOfProgress() throws BadSettings {
    var signature = SettingsReader.parse("own.yaml", OWN + "resolveAfter: 20s\n", Signature::read);
    var last = NOW.minusSeconds(21);
    var scan = new LogScan(signature, NOW.minusSeconds(60), NOW);
    for (var i = 3; i >= 0; i--) {
      scan.accept(last.minusSeconds(i), "2026-11-25 11:59:00 ERROR connection lost");
    }
    assertThat(scan.diagnosis()).isEqualTo(Diagnosis.recovered(last.plusSeconds(20)));
  }

  /** A restart is of all: one node that is cut off must not take the others along. */
  @Test
  void ofInstancesForANodeEachMoreThanHalfMustBeStuck() {
    var well = new InstanceHealth(Diagnosis.healthy(), null, false);
    var stuck = new InstanceHealth(Diagnosis.stuck(5, NOW, NOW), null, false);

    assertThat(Diagnosis.of(List.of(stuck, well), false).kind()).isEqualTo(Diagnosis.Kind.STUCK);
    assertThat(Diagnosis.of(List.of(stuck, well), true).kind()).isEqualTo(Diagnosis.Kind.HEALTHY);
    assertThat(Diagnosis.of(List.of(stuck, well, stuck), true).kind())
        .isEqualTo(Diagnosis.Kind.STUCK);
  }

  /** As a standby that crashes beside the leader, which works. */
  @Test
  void anInstanceThatCrashesDoesNotCountBesideOthers() {
    var well = new InstanceHealth(Diagnosis.healthy(), null, false);
    var crashing = new InstanceHealth(Diagnosis.stuck(5, NOW, NOW), null, true);

    assertThat(Diagnosis.of(List.of(well, crashing), false)).isEqualTo(Diagnosis.healthy());
    assertThat(Diagnosis.of(List.of(crashing), false).kind()).isEqualTo(Diagnosis.Kind.STUCK);
  }

  private static List<String> problems(String yaml) {
    return catchThrowableOfType(
            BadSettings.class, () -> SettingsReader.parse("own.yaml", yaml, Signature::read))
        .problems();
  }
}
