package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.janitor.pace.StopSignal;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.Programs;
import dev.shipshape.sandbox.Progress;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a control plane of its own, which has no CFS sessions until a test brings them. */
class DetectedSessionsTest {
  /** A label that is too long, so that no resolver is asked. */
  private static final URI NOWHERE = URI.create("http://" + "n".repeat(64) + ".invalid");

  private static ControlPlane controlPlane;
  private static KubernetesClient client;
  @TempDir private Path secret = Path.of("");

  @BeforeAll
  static void open() {
    var progress = Progress.toLog();
    controlPlane = ControlPlane.start(Programs.find(System.getenv(), progress), progress);
    client = TestCluster.adminClient(controlPlane, "detection");
  }

  @AfterAll
  static void close() {
    client.close();
    controlPlane.close();
  }

  @Test
  void theWorldIsFoundAndFoundAgainWhenItChanges() throws IOException {
    try (var both = FakeCfs.start("v2", "v3");
        var old = FakeCfs.start("v2");
        var neither = FakeCfs.start()) {
      both.put("in-v3", "complete", "2026-01-01T00:00:00", null, null);
      old.put("in-v2", "complete", "2026-01-01T00:00:00", null, null);
      var found = sessions(both, Source.AUTO);
      assertThat(names(found)).containsExactly("in-v3");
      for (var code : List.of(401, 403, 429, 500, 503)) {
        both.once(request -> request.contains("/v3/"), code, "");
        assertThatExceptionOfType(ApiFailure.class)
            .as("version 2 is not looked for")
            .isThrownBy(() -> names(sessions(both, Source.AUTO)))
            .matches(failure -> failure.code() == code);
      }
      assertThat(names(sessions(old, Source.AUTO))).containsExactly("in-v2");
      assertThatExceptionOfType(ApiFailure.class)
          .isThrownBy(() -> names(sessions(neither, Source.AUTO)))
          .withMessageContaining("no sessions were found");
      assertThatExceptionOfType(ApiFailure.class)
          .isThrownBy(() -> names(sessions(both, Source.CUSTOM_RESOURCES)))
          .withMessage(
              "sessions.source says custom-resources, but rest-v3 was found: correct it or leave it"
                  + " out");

      try (var cluster = new TestCluster(controlPlane, "default")) {
        var session = cluster.createSession("in-the-cluster", "complete", null);
        assertThat(names(found)).containsExactly("in-the-cluster");
        theLivingAreThoseOfBothWorlds(both, old, neither);
        assertThatExceptionOfType(ApiFailure.class)
            .isThrownBy(() -> names(sessions(both, Source.REST_V3)))
            .withMessageContaining("but custom-resources was found")
            .withMessageContaining("delete those that kubectl --namespace default get cfsessions");

        cluster.delete(
            cluster.sessions() + "/in-the-cluster", session.at("/metadata/uid").asText());
        assertThat(names(found)).as("custom resources come first").isEmpty();
        assertThat(names(sessions(both, Source.REST_V3)))
            .as("a definition without sessions is left over")
            .containsExactly("in-v3");
      }
    }
  }

  /** Where there is a custom resource, which an older CFS may have left behind. */
  private void theLivingAreThoseOfBothWorlds(FakeCfs both, FakeCfs old, FakeCfs neither)
      throws IOException {
    var here = "in-the-cluster";
    var found = sessions(both, Source.AUTO);
    assertThat(living(found)).containsExactly(here, "in-v3");
    assertThat(names(found)).containsExactly(here);
    assertThat(living(sessions(old, Source.AUTO))).containsExactly(here, "in-v2");
    assertThat(living(sessions(neither, Source.AUTO))).containsExactly(here);
    var withoutToken = sessions(withoutToken(both), Source.AUTO);
    assertThatExceptionOfType(ApiFailure.class)
        .as("the service is there, only no token for it")
        .isThrownBy(() -> living(withoutToken))
        .withMessageContaining("say sessions.source: custom-resources");

    assertThatExceptionOfType(ApiFailure.class)
        .as("a name that cannot be resolved, as where the resolver is dead")
        .isThrownBy(() -> living(sessions(NOWHERE, Source.AUTO)))
        .withMessageContaining("say sessions.source: custom-resources");
    assertThat(living(sessions(NOWHERE, Source.CUSTOM_RESOURCES))).containsExactly(here);

    for (var body : List.of("", "<html>", "{\"title\": \"Not Found\", \"status\": 404}")) {
      neither.always(_ -> true, 404, body);
      assertThatExceptionOfType(ApiFailure.class)
          .as("a gateway's 404: " + body)
          .isThrownBy(() -> living(sessions(neither, Source.AUTO)))
          .withMessageContaining("say sessions.source: custom-resources");
      neither.heal();
    }

    var told = sessions(both, Source.CUSTOM_RESOURCES);
    assertThat(living(told)).containsExactly(here, "in-v3");
    for (var i = 0; i < 3; i++) {
      both.once(request -> request.contains("/v3/"), 503, "");
    }
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> living(sessions(both, Source.AUTO)))
        .withMessageContaining("say sessions.source: custom-resources");
    assertThat(living(sessions(both, Source.CUSTOM_RESOURCES))).containsExactly(here);
    assertThatExceptionOfType(ApiFailure.class)
        .as("it has answered before")
        .isThrownBy(() -> living(told));
  }

  /** The token's endpoint is nowhere. */
  private RestService withoutToken(FakeCfs cfs) throws IOException {
    var id = Files.writeString(secret.resolve("id"), "janitor");
    var source = new ClientCredentials.Source(NOWHERE, id, id);
    var http = RestConnection.open(null);
    var bearer = new ClientCredentials(http, source, InstantSource.system());
    return new RestService(http, cfs.address(), bearer);
  }

  private static DetectedSessions sessions(FakeCfs cfs, Source wanted) {
    return sessions(cfs.address(), wanted);
  }

  private static DetectedSessions sessions(URI address, Source wanted) {
    return sessions(new RestService(RestConnection.open(null), address, BearerToken.NONE), wanted);
  }

  private static DetectedSessions sessions(RestService service, Source wanted) {
    return new DetectedSessions(
        new KubernetesApi(client), service, wanted, "default", new StopSignal(() -> true));
  }

  private static List<String> names(Sessions sessions) {
    var listed = new Names();
    sessions.list(listed);
    return listed.names;
  }

  private static List<String> living(Sessions sessions) {
    var listed = new Names();
    sessions.listLiving(listed);
    return listed.names;
  }

  private static final class Names implements Sessions.Listener {
    final List<String> names = new ArrayList<>();

    @Override
    public void begin(Instant server) {}

    @Override
    public void each(Session session) {
      names.add(session.name());
    }
  }
}
