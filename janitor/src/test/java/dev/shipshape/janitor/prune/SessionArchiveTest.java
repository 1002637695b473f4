package dev.shipshape.janitor.prune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.shipshape.janitor.TestCluster;
import dev.shipshape.janitor.kubernetes.CancellationToken;
import dev.shipshape.janitor.restart.StandInKubelet;
import dev.shipshape.janitor.session.CustomResourceStore;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.janitor.session.SessionStore;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.CapturedLog;
import dev.shipshape.sandbox.junit.ControlPlaneExtension;
import dev.shipshape.sandbox.junit.FaultyApi;
import dev.shipshape.sandbox.junit.Promise;
import dev.shipshape.sandbox.junit.UniqueNames;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class SessionArchiveTest {
  private static final int MEBIBYTE = 1024 * 1024;

  @TempDir private Path folder = Path.of("");
  private TestCluster cluster;
  private StandInKubelet kubelet;
  private String node;

  @BeforeEach
  void open(ControlPlane controlPlane, UniqueNames names) throws IOException {
    cluster = new TestCluster(controlPlane, names.namespace("archive"));
    kubelet = StandInKubelet.start();
    node = names.name("node");
    kubelet.register(cluster, node);
    TestCluster.eventually(
        "pods may be created",
        () -> cluster.names(cluster.path("serviceaccounts")).contains("default"));
  }

  @AfterEach
  void close() {
    kubelet.close();
    cluster.close();
  }

  @Test
  void aSessionIsKeptWithTheLogsOfItsPodsBeforeItIsDeleted() throws IOException {
    var uid = createSession(1);
    createPod(1, "cfs-1");
    kubelet.log("cfs-1", "ansible", false, Instant.now(), "PLAY RECAP");

    assertThat(prune(MEBIBYTE)).containsExactly(Status.GONE);

    var kept = kept();
    assertThat(kept).hasSize(1);
    assertThat(kept.getFirst().getFileName().toString())
        .matches(".*-%s-[0-9a-f]{8}\\.zip".formatted(TestSessions.batcher(1)));
    assertThat(text(kept.getFirst(), "session.yaml"))
        .contains("ConfigFrameworkSession", "https://example.com/repo.git", uid);
    assertThat(text(kept.getFirst(), "cfs-1.ansible.log")).contains("PLAY RECAP");
  }

  @Promise(
      value = "A session that cannot be archived is not deleted.",
      breaks = "Archiving in parallel with the deletion.")
  @Test
  void whatCannotBeArchivedIsNotDeletedAndSaysSo() throws IOException {
    createSession(1);
    createPod(1, "cfs-1");
    kubelet.log("cfs-1", "ansible", false, Instant.now(), "PLAY RECAP");
    kubelet.close();

    assertThat(prune(MEBIBYTE)).containsExactly(Status.FAILED);

    assertThat(cluster.names(cluster.sessions())).containsExactly(TestSessions.batcher(1));
    assertThat(kept()).isEmpty();
  }

  /** Else the session would stay for ever. */
  @Test
  void ofALogThatTheContainerRuntimeHasLostItsNoticeIsArchived() throws IOException {
    createSession(1);
    createPod(1, "cfs-1");
    kubelet.log("cfs-1", "ansible", false, Instant.now(), "");
    kubelet.notice("cfs-1", "ansible", "unable to retrieve container logs for containerd://01ab");

    assertThat(prune(MEBIBYTE)).containsExactly(Status.GONE);

    assertThat(text(kept().getFirst(), "cfs-1.ansible.log"))
        .isEqualTo("unable to retrieve container logs for containerd://01ab");
  }

  /** Else the next run would begin with the same ones, and never come to the others. */
  @Test
  void sessionsThatCannotBeArchivedDoNotKeepTheOthers() throws IOException {
    // Ten failures in a row would stop the run; by then, each of four workers has begun one.
    for (var i = 1; i <= 14; i++) {
      createSession(i);
      createPod(i, "cfs-" + i);
    }
    createSession(15);
    kubelet.close();

    assertThat(prune(MEBIBYTE)).containsOnlyOnce(Status.GONE).contains(Status.FAILED);

    assertThat(cluster.names(cluster.sessions()))
        .hasSize(14)
        .doesNotContain(TestSessions.batcher(15));
  }

  @Test
  void whatAJanitorThatLedMeanwhileHasStoredCountsForTheLimit() throws IOException {
    var archive = archive(900);
    createSession(1);
    prune(archive);
    createSession(2);
    prune(900);
    createSession(3);
    prune(archive);
    assertThat(kept()).hasSize(1);
  }

  @Test
  void aFolderThatCannotBeWrittenToKeepsEverySession() throws IOException {
    createSession(1);
    folder = Files.createFile(folder.resolve("file"));
    assertThat(prune(MEBIBYTE)).containsExactly(Status.FAILED);
    assertThat(cluster.names(cluster.sessions())).containsExactly(TestSessions.batcher(1));
  }

  /** What a container that never started could have logged is nothing. */
  @Test
  void aPodWithoutALogHoldsNothingUp() throws IOException {
    createSession(1);
    createPod(1, "cfs-1");
    assertThat(prune(MEBIBYTE)).containsExactly(Status.GONE);
    assertThat(kept()).hasSize(1);
  }

  @Test
  void theOldestGoesFirstWhereAllWouldBeTooLargeAndNothingElse() throws IOException {
    Files.writeString(Files.createDirectory(folder.resolve("2025-mine")).resolve("a"), "mine");
    createSession(1);
    prune(900);
    var first = kept();
    createSession(2);
    prune(900);
    assertThat(kept()).hasSize(2).isNotEqualTo(first).contains(folder.resolve("2025-mine"));
  }

  @Test
  void aSessionThatIsLargerThanTheArchiveMayBeIsNeitherKeptNorDeleted() throws IOException {
    createSession(1);
    assertThat(prune(100)).containsExactly(Status.FAILED);
    assertThat(kept()).isEmpty();
    assertThat(cluster.names(cluster.sessions())).containsExactly(TestSessions.batcher(1));
  }

  /** Else the refused ones would fill the archive, and drive out what is kept of deleted ones. */
  @Test
  void aSessionThatCannotBeDeletedIsKeptOnceHoweverOftenItIsTried(ControlPlane controlPlane)
      throws IOException {
    createSession(1);
    try (var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address())) {
      var store = new CustomResourceStore(client, cluster.namespace());
      faulty.always(request -> request.startsWith("DELETE "), FaultyApi.refuse(422));
      assertThat(prune(archive(MEBIBYTE), store)).containsExactly(Status.FAILED);
      assertThat(prune(archive(MEBIBYTE), store)).containsExactly(Status.FAILED);
      assertThat(faulty.requests("DELETE ")).hasSize(2);
    }
    assertThat(kept()).hasSize(1);

    cluster.patch(
        cluster.sessions() + "/" + TestSessions.batcher(1),
        "{\"spec\": {\"tags\": {\"now\": \"another\"}}}");
    assertThat(prune(MEBIBYTE)).containsExactly(Status.GONE);
    assertThat(kept()).as("it had changed since").hasSize(2);
  }

  @Test
  void whyARunStoppedIsLogged(ControlPlane controlPlane) throws IOException {
    for (var i = 1; i <= 10; i++) {
      createSession(i);
    }
    try (var faulty = FaultyApi.start(controlPlane);
        var client = TestCluster.clientAt(faulty.address());
        var log = new CapturedLog()) {
      faulty.always(request -> request.contains("/batcher-"), FaultyApi.refuse(403));
      prune(archive(MEBIBYTE), new CustomResourceStore(client, cluster.namespace()));
      assertThat(log.lines("10 deletions in a row failed", "one with: not archived: 403"))
          .hasSize(1);
    }
  }

  private List<Status> prune(int maxBytes) {
    return prune(archive(maxBytes));
  }

  private List<Status> prune(SessionArchive archive) {
    return prune(archive, new CustomResourceStore(cluster.client(), cluster.namespace()));
  }

  private SessionArchive archive(int maxBytes) {
    return new SessionArchive(
        folder, maxBytes, cluster.client(), cluster.namespace(), Clock.systemUTC());
  }

  private List<Status> prune(SessionArchive archive, SessionStore store) {
    var pruner =
        new Pruner(
            store::list,
            cluster.client(),
            cluster.namespace(),
            TestSessions.POLICY,
            TestSessions.FAST,
            archive,
            new AuditLog(_ -> {}, Clock.systemUTC()),
            new CancellationToken(() -> true),
            Clock.systemUTC());
    return pruner.run(true).deletions().stream()
        .map(deletion -> deletion.result().status())
        .toList();
  }

  /** Returns its uid. */
  private String createSession(int number) {
    return cluster
        .createSession(TestSessions.batcher(number), "complete", "2026-01-01T00:00:00Z")
        .at("/metadata/uid")
        .asText();
  }

  private void createPod(int session, String name) {
    cluster.create(
        cluster.path("pods"),
        """
        {"apiVersion": "v1", "kind": "Pod",
         "metadata": {"name": "%s", "labels": {"cfsession": "%s"}},
         "spec": {"nodeName": "%s", "containers": [
           {"name": "ansible", "image": "example.com/ansible"}]}}
        """
            .formatted(name, TestSessions.batcher(session), node));
  }

  private List<Path> kept() throws IOException {
    try (var files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static String text(Path file, String entry) throws IOException {
    try (var zip = new ZipFile(file.toFile())) {
      return new String(
          zip.getInputStream(zip.getEntry(entry)).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
