package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.sandbox.Kubeconfig;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
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
  void aContextThatIsNotThereIsNotTheCurrentOne() throws Exception {
    var file = write("http://127.0.0.1:1");

    assertThatThrownBy(() -> ApiConnection.open(file, "prod").close())
        .isInstanceOf(StartFailure.class)
        .hasMessage("the kubeconfig %s has no context \"prod\"; it has: x", file);
  }

  @Test
  void aCurrentContextThatIsNotThereIsNone() throws Exception {
    var file = contexts("one", "gone", "a", "b");

    assertThatThrownBy(() -> ApiConnection.open(file, null).close())
        .isInstanceOf(StartFailure.class)
        .hasMessage("the kubeconfig %s has no context \"gone\"; it has: a, b", file);
  }

  @Test
  void withoutACurrentContextNothingIsAskedThatNobodyNamed() throws Exception {
    var file = contexts("one", "''", "a", "b");

    assertThatThrownBy(() -> ApiConnection.open(file, null).close())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("has no current context: name one by --context; it has: a, b");
    try (var client =
        ApiConnection.open(file, null, config -> config.withMasterUrl("http://127.0.0.1:2"))) {
      assertThat(client.getMasterUrl()).hasToString("http://127.0.0.1:2/");
    }
  }

  @Test
  void ofSeveralFilesTheFirstCurrentContextCountsAndAllContextsAre() throws Exception {
    var first = contexts("first", "''", "a");
    var second = contexts("second", "b", "b");
    var none = folder.resolve("none");

    withKubeconfig(
        none + ":" + first + ":" + second,
        () -> {
          assertThat(serverOf(null)).endsWith("/b/");
          assertThat(serverOf("a")).endsWith("/a/");
          assertThatThrownBy(() -> serverOf("c"))
              .hasMessage("the kubeconfig %s:%s has no context \"c\"; it has: a, b", first, second);
        });
  }

  @Test
  void aCurrentContextOfTheFirstFileThatIsNotThereIsNotThatOfTheSecond() throws Exception {
    var first = contexts("first", "gone", "a");
    var second = contexts("second", "b", "b");

    withKubeconfig(
        first + ":" + second,
        () ->
            assertThatThrownBy(() -> serverOf(null))
                .hasMessageContaining("has no context \"gone\"; it has: a, b"));
  }

  @Test
  void aVariableThatNamesNoFileThatIsThereIsSaid() {
    var named = folder.resolve("one") + ":" + folder.resolve("two");

    withKubeconfig(
        named,
        () ->
            assertThatThrownBy(() -> serverOf(null))
                .isInstanceOf(StartFailure.class)
                .hasMessage(
                    "could not read the kubeconfig: KUBECONFIG names %s, and there is no such file",
                    named));
  }

  @Test
  void whatIsNoKubeconfigIsSaidInOneLine() throws Exception {
    var noYaml = Files.writeString(folder.resolve("config"), "{ ]");

    assertThatThrownBy(() -> ApiConnection.open(noYaml, null))
        .isInstanceOf(StartFailure.class)
        .message()
        .startsWith("could not use the kubeconfig " + noYaml + ":1: not YAML: ")
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

  /** The library reads the variable as a property too. */
  private static void withKubeconfig(String value, Runnable action) {
    System.setProperty("kubeconfig", value);
    try {
      action.run();
    } finally {
      System.clearProperty("kubeconfig");
    }
  }

  private static String serverOf(@Nullable String context) {
    try (var client = ApiConnection.open(null, context)) {
      return client.getMasterUrl().toString();
    }
  }

  /** Each context is of the cluster of its name. */
  private Path contexts(String file, String current, String... names) throws Exception {
    var text = new StringBuilder("current-context: %s\nusers: [{name: u}]\n".formatted(current));
    text.append("clusters:\n");
    for (var name : names) {
      text.append(
          "- {name: %1$s, cluster: {server: \"http://127.0.0.1:1/%1$s\"}}\n".formatted(name));
    }
    text.append("contexts:\n");
    for (var name : names) {
      text.append("- {name: %1$s, context: {cluster: %1$s, user: u}}\n".formatted(name));
    }
    return Files.writeString(folder.resolve(file), text);
  }

  private Path write(String server) throws Exception {
    return Files.writeString(folder.resolve("config"), Kubeconfig.anybodyAt(server));
  }
}
