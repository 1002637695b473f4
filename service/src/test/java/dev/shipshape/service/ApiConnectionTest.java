package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.sandbox.Kubeconfig;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApiConnectionTest {
  @TempDir private Path folder = Path.of("");

  @Test
  void aKubeconfigIsReadWithoutSendingAnything() throws Exception {
    var file = write("http://127.0.0.1:1");

    try (var client = ApiConnection.open(file, null)) {
      assertThat(client.getMasterUrl()).hasToString("http://127.0.0.1:1/");
      assertThat(client.getConfiguration().getMaxConcurrentRequestsPerHost()).isEqualTo(64);
    }
  }

  @Test
  void aClosedClientLeavesNoThreadInAWaitThatHoldsTheEndOfTheProcessUp() throws Exception {
    var before = waiting();
    Set<Thread> its;

    try (var client = ApiConnection.open(write("http://127.0.0.1:1"), null)) {
      its = waiting();
      its.removeAll(before);
      assertThat(client.getHttpClient().isClosed()).isFalse();
      assertThat(its).isNotEmpty();
    }

    for (var each : its) {
      assertThat(each.join(Duration.ofSeconds(10))).as("%s has ended", each).isTrue();
    }
  }

  @Test
  void aWatchsErrorIsReadAsTheStatusThatItIs() throws Exception {
    var expired =
        """
        {"type": "ERROR", "object": {"apiVersion": "v1", "kind": "Status", "code": 410}}\
        """;

    try (var client = ApiConnection.open(write("http://127.0.0.1:1"), null)) {
      var event = client.getKubernetesSerialization().unmarshal(expired, WatchEvent.class);

      assertThat(event.getObject())
          .isInstanceOfSatisfying(Status.class, it -> assertThat(it.getCode()).isEqualTo(410));
    }
  }

  @Test
  void aFileThatIsNotThereIsNamed() {
    assertThatThrownBy(() -> ApiConnection.open(folder.resolve("none"), null))
        .isInstanceOf(StartFailure.class)
        .hasMessageEndingWith("none: there is no such file");
  }

  @Test
  void whatIsNoKubeconfigIsSaidInOneLine() throws Exception {
    var noYaml = Files.writeString(folder.resolve("config"), "{ ]");

    assertThatThrownBy(() -> ApiConnection.open(noYaml, null))
        .isInstanceOf(StartFailure.class)
        .message()
        .startsWith("could not use the kubeconfig " + noYaml)
        .hasLineCount(1);
  }

  @Test
  void anAddressThatIsNoneIsSaidInOneLine() throws Exception {
    var file = write("http://not an address");

    assertThatThrownBy(() -> ApiConnection.open(file, null).close())
        .isInstanceOf(StartFailure.class)
        .message()
        .startsWith("could not use the kubeconfig " + file)
        .hasLineCount(1);
  }

  /** The threads that wait for the connections of the JDK's HTTP clients. */
  private static Set<Thread> waiting() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(each -> each.getName().endsWith("-SelectorManager"))
        .collect(Collectors.toSet());
  }

  private Path write(String server) throws Exception {
    return Files.writeString(folder.resolve("config"), Kubeconfig.anybodyAt(server));
  }
}
