package dev.shipshape.janitor.session;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.Session.Mark;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class CustomResourceStoreTest extends SessionStoreContract {
  private TestCluster cluster;
  private KubernetesClient client;
  private String agent;
  private CustomResourceStore sessions;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) {
    cluster = new TestCluster(controlPlane, names.namespace("sessions"));
    agent = names.name("agent");
    client = cluster.clientNamed(agent);
    sessions = new CustomResourceStore(client, cluster.namespace());
  }

  @AfterEach
  void close() {
    client.close();
    cluster.close();
  }

  @Test
  void aSessionIsReducedToWhatAVerdictNeeds() {
    var stored =
        cluster.createSession(
            "batcher-1",
            "complete",
            COMPLETED,
            resource -> {
              ((ObjectNode) resource.path("metadata"))
                  .putObject("annotations")
                  .put("shipshape.dev/keep", "true");
              var status = (ObjectNode) resource.path("spec").path("status");
              ((ObjectNode) status.path("session"))
                  .put("startTime", "2025-12-31T23:00:00Z")
                  .put("job", "cfs-1");
              status
                  .putArray("artifacts")
                  .addObject()
                  .put("result_id", "46a2731e-a1d0-4f98-ba92-4f78c756bb12");
            });
    var session = list().getFirst();
    assertThat(session.uid()).isEqualTo(stored.at("/metadata/uid").asText());
    assertThat(session.resourceVersion())
        .isEqualTo(stored.at("/metadata/resourceVersion").asText());
    assertThat(session.state()).isEqualTo("complete");
    assertThat(session.times())
        .isEqualTo(
            new Times(
                Instant.parse(stored.at("/metadata/creationTimestamp").asText()),
                Instant.parse("2025-12-31T23:00:00Z"),
                Instant.parse(COMPLETED),
                null));
    assertThat(session.job()).isEqualTo("cfs-1");
    assertThat(session.marks()).containsExactlyInAnyOrder(Mark.KEEP, Mark.IMAGE_RESULT);
    assertThat(sessions.get(session)).contains(session);
  }

  @Test
  void oneThatDoesNotSayWhenItCompletedSaysWhenItWasLastWritten() {
    var stored = cluster.createSession("batcher-1", "complete", null);

    assertThat(list().getFirst().times().written())
        .isEqualTo(Instant.parse(stored.at("/metadata/managedFields/0/time").asText()));
  }

  @Test
  void aSessionThatIsQuiteNewHasNoStateYet() {
    cluster.createSession(
        "new", "x", null, resource -> ((ObjectNode) resource.path("spec")).remove("status"));
    assertThat(list().getFirst().state()).isEmpty();
    assertThat(list().getFirst().job()).isNull();
  }

  @Promise(
      value = "A deletion has uid and resourceVersion as preconditions, and a propagation policy.",
      breaks = "Deleting by name.")
  @Test
  void aDeletionIsOneRequestThatInsistsOnUidAndVersionAndSaysItsPropagation() {
    cluster.createSession("one", "complete", COMPLETED);
    var session = list().getFirst();
    assertThat(sessions.delete(session)).isEqualTo(new DeleteResult(Status.GONE));

    var requests = cluster.audited(agent, event -> event.path("verb").asText().equals("delete"));
    assertThat(requests).hasSize(1);
    var options = requests.getFirst().path("requestObject");
    assertThat(options.path("propagationPolicy").asText()).isEqualTo("Background");
    assertThat(options.at("/preconditions/uid").asText()).isEqualTo(session.uid());
    assertThat(options.at("/preconditions/resourceVersion").asText())
        .isEqualTo(session.resourceVersion());
    assertThat(list()).isEmpty();
    assertThat(sessions.delete(session)).isEqualTo(new DeleteResult(Status.ALREADY_GONE));
    assertThat(sessions.get(session)).isEmpty();
  }

  @Promise(
      value = "A new session with the name of an old one is not deleted.",
      breaks = "Omitting the uid.")
  @Test
  void aNameThatIsUsedAgainIsNotDeleted() {
    cluster.createSession("one", "complete", COMPLETED);
    var seen = list().getFirst();
    cluster.delete(cluster.sessions() + "/one", Objects.requireNonNull(seen.uid()));
    cluster.createSession("one", "complete", COMPLETED);

    var fresh = list().getFirst();
    assertThat(sessions.delete(seen)).isEqualTo(new DeleteResult(Status.CHANGED));
    var withFreshVersion =
        new Session(
            seen.namespace(),
            seen.name(),
            seen.uid(),
            fresh.resourceVersion(),
            seen.state(),
            seen.times(),
            seen.job(),
            seen.marks());
    assertThat(sessions.delete(withFreshVersion))
        .as("the uid alone protects it")
        .isEqualTo(new DeleteResult(Status.CHANGED));
    assertThat(list()).containsExactly(fresh);
    assertThat(fresh.isSameAs(seen)).isFalse();
  }

  @Test
  void oneThatAFinalizerHoldsIsTerminatingAndSaysWhatHoldsIt() {
    cluster.createSession(
        "held",
        "complete",
        COMPLETED,
        resource -> {
          resource.withObject("/metadata").putArray("finalizers").add("example.com/held");
          // As an answer that says that it is gone has, but not of the object itself.
          resource.withObject("/spec/tags").put("kind", "Status");
        });
    var session = list().getFirst();
    assertThat(sessions.delete(session)).isEqualTo(new DeleteResult(Status.TERMINATING));
    assertThat(list().getFirst().marks()).containsExactly(Mark.TERMINATING);
    assertThat(sessions.findRemaining(List.of(session)))
        .containsExactly(Map.entry(session, "finalizers [example.com/held]"));
    cluster.patch(cluster.sessions() + "/held", "{\"metadata\": {\"finalizers\": null}}");
  }

  @Override
  SessionStore sessions() {
    return sessions;
  }

  @Override
  void complete(String name) {
    cluster.createSession(name, "complete", COMPLETED);
  }

  @Override
  void run(String name) {
    patch(name, "{\"spec\": {\"status\": {\"session\": {\"status\": \"running\"}}}}");
  }

  @Override
  void keep(String name, String value) {
    patch(
        name,
        "{\"metadata\": {\"annotations\": {\"shipshape.dev/keep\": \"%s\"}}}".formatted(value));
  }

  @Override
  void succeed(String name, @Nullable String value) {
    var text = value == null ? "null" : '"' + value + '"';
    patch(name, "{\"spec\": {\"status\": {\"session\": {\"succeeded\": %s}}}}".formatted(text));
  }

  @Override
  void giveImage(String name) {
    patch(
        name,
        """
        {"spec": {"status": {"artifacts":
          [{"result_id": "46a2731e-a1d0-4f98-ba92-4f78c756bb12"}]}}}
        """);
  }

  private void patch(String name, String patch) {
    cluster.patch(cluster.sessions() + "/" + name, patch);
  }
}
