package dev.shipshape.janitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.TestSessions;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.UniqueNames;
import dev.shipshape.service.SettingsReader;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A janitor that was killed while it deleted, and that does not lead when it is there again. */
@ExtendWith(ControlPlaneExtension.class)
class UnrecordedDeletionsTest {
  private static final String NAME = TestSessions.batcher(1);
  private static final String NEVER = "0 0 0 1 1 ? 2099";

  @TempDir private Path folder = Path.of("");
  private TestCluster cluster;
  private KubernetesClient client;
  private String agent;
  private Janitor leader;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws Exception {
    cluster = new TestCluster(controlPlane, names.namespace("unrecorded"));
    agent = names.name("agent");
    client = cluster.clientNamed(agent);
    leader = janitor(cluster.clientNamed("leader"), NEVER, folder.resolve("another"));
    assertThat(leader.awaitLeadership(Duration.ofSeconds(20))).isTrue();
  }

  @AfterEach
  void close() {
    leader.close();
    client.close();
    cluster.close();
  }

  @Test
  void whatIsGoneIsRecordedAsSoonAsItStarts() throws Exception {
    var session = cluster.createSession(NAME, "running", null);
    begin(session);
    delete(session);
    try (var _ = janitor(client, NEVER, records())) {
      TestCluster.eventually("it is recorded", this::isRecorded);
    }
    assertThat(Files.readString(records())).contains("\"run\":\"run-1\"", "\"result\":\"gone\"");
  }

  @Test
  void whatGoesLaterIsRecordedWhileAnotherLeads() throws Exception {
    var session = cluster.createSession(NAME, "running", null);
    begin(session);
    try (var _ = janitor(client, "0/1 * * * * ?", records())) {
      TestCluster.eventually("it has looked", this::hasLooked);
      delete(session);
      TestCluster.eventually("it is recorded", this::isRecorded);
      TestCluster.eventually("it does not keep the file to itself", this::isFree);
    }
    assertThat(Files.readAllLines(records())).as("its beginning and its end").hasSize(2);
  }

  /** As a run does before it sends the request. */
  private void begin(JsonNode created) {
    var planned = TestSessions.entry();
    var session =
        new Session(
            cluster.namespace(),
            NAME,
            created.at("/metadata/uid").asText(),
            created.at("/metadata/resourceVersion").asText(),
            "complete",
            planned.session().times(),
            null,
            planned.session().marks());
    TestSessions.begin(records(), "run-1", new Plan.Entry(session, planned.verdict()));
  }

  private void delete(JsonNode session) {
    cluster.delete(path(), session.at("/metadata/uid").asText());
  }

  private boolean isRecorded() {
    try {
      return Files.readString(records()).contains("\"deletion\"");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isFree() {
    return TestSessions.isFree(records());
  }

  private boolean hasLooked() {
    return !cluster
        .audited(agent, event -> event.path("requestURI").asText().equals(path()))
        .isEmpty();
  }

  private String path() {
    return cluster.sessions() + "/" + NAME;
  }

  private Path records() {
    return folder.resolve("records");
  }

  private Janitor janitor(KubernetesClient client, String schedule, Path records) throws Exception {
    var settings =
        """
        apiVersion: shipshape.dev/v1
        sessions: {namespace: %1$s, source: custom-resources}
        lease: {namespace: %1$s}
        prune: {armed: true, schedule: "%2$s", records: {file: %3$s}}
        operator: {namespace: %1$s, logFile: %4$s/none.log, checkEvery: 2m}
        """
            .formatted(cluster.namespace(), schedule, records, folder);
    return Janitor.start(
        SettingsReader.parse("janitor.yaml", settings, JanitorSettings::from),
        client,
        Clock.systemUTC(),
        new SimpleMeterRegistry(),
        _ -> {});
  }
}
