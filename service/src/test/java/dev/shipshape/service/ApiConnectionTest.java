package dev.shipshape.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.shipshape.sandbox.Kubeconfig;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        .hasMessageContaining(
            "%s has no current context: name one by --context; it has: a, b", file);
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
              .hasMessageEndingWith("%s:%s has no context \"c\"; it has: a, b", first, second);
        });
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
                    "the kubeconfig %s is not there, or names no cluster: name one by --kubeconfig"
                        + " or KUBECONFIG",
                    named));
  }

  @Test
  void whatIsNoKubeconfigIsSaidInOneLine() throws Exception {
    var noYaml = Files.writeString(folder.resolve("config"), "{ ]");

    assertThatThrownBy(() -> ApiConnection.open(noYaml, null))
        .isInstanceOf(StartFailure.class)
        .message()
        .startsWith("could not use the kubeconfig " + noYaml + ": ")
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

  @ParameterizedTest(name = "{0}")
  @CsvSource({"proxy-url, '', proxied", "variable, '', proxied", "variable, in a pod, direct"})
  void peoplesProxiesAreHonouredAndThoseOfAPodAreNot(String where, String pod, String expected)
      throws Exception {
    var proxied = new CountDownLatch(1);
    try (var proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(
          () -> {
            try (var connection = proxy.accept();
                var request = new Scanner(connection.getInputStream())) {
              if (request.nextLine().startsWith("CONNECT api.invalid:443 ")) {
                proxied.countDown();
              }
            } catch (IOException e) {
              // Closed without a connection.
            }
          });
      var address = "http://127.0.0.1:" + proxy.getLocalPort();
      var file = write("https://api.invalid");
      if (where.equals("proxy-url")) {
        var text = Files.readString(file).replace("server:", "proxy-url: " + address + ", server:");
        Files.writeString(file, text);
      } else {
        System.setProperty("https.proxy", address);
      }
      if (!pod.isEmpty()) {
        System.setProperty("KUBERNETES_SERVICE_HOST", "api.invalid");
        System.setProperty("KUBERNETES_SERVICE_PORT", "443");
        System.setProperty("kubeconfig", folder.resolve("none").toString());
        file = null;
      }
      try (var client = ApiConnection.open(file, null)) {
        var asking =
            Thread.startVirtualThread(
                () -> assertThatThrownBy(client::getKubernetesVersion).isNotNull());
        if (expected.equals("proxied")) {
          // Its retries are not waited for.
          assertThat(proxied.await(20, TimeUnit.SECONDS)).isTrue();
        } else {
          asking.join();
          assertThat(proxied.getCount()).isEqualTo(1);
        }
      }
    } finally {
      List.of("https.proxy", "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT", "kubeconfig")
          .forEach(System::clearProperty);
    }
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
    return Files.writeString(folder.resolve("config"), Kubeconfig.anonymous(server));
  }
}
