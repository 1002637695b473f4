package dev.shipshape.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.shipshape.sandbox.Kubeconfig;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.Scanner;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.assertj.core.util.Throwables;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiConnectionTest {
  @TempDir private Path folder = Path.of("");

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
  void aFileThatIsNotThereOrEmptyIsNamed() throws IOException {
    for (var file : List.of(folder.resolve("none"), Files.createFile(folder.resolve("empty")))) {
      assertThatThrownBy(() -> ApiConnection.open(file, null))
          .isInstanceOf(StartFailure.class)
          .hasMessageEndingWith(file + ": there is no such file, or it is empty");
    }
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

  /** The library would send the user's token to its default address. */
  @Test
  void aContextWhoseClusterIsNotThereIsRefusedUnlessAnotherAddressIsNamed() throws Exception {
    var file = contexts("one", "a", "a");
    Files.writeString(file, Files.readString(file).replace("{cluster: a,", "{cluster: gone,"));

    assertThatThrownBy(() -> ApiConnection.open(file, null).close())
        .isInstanceOf(StartFailure.class)
        .hasMessage(
            "the kubeconfig %s has no cluster \"gone\", which its context \"a\" names", file);
    try (var client =
        ApiConnection.open(file, null, config -> config.withMasterUrl("http://127.0.0.1:2"))) {
      assertThat(client.getMasterUrl()).hasToString("http://127.0.0.1:2/");
    }
  }

  @Test
  void inAPodTooAFileNeedsACurrentContext() throws Exception {
    System.setProperty("KUBERNETES_SERVICE_HOST", "api.invalid");
    try {
      for (var current : List.of("''", "gone")) {
        var file = contexts("one", current, "a", "b");
        assertThatThrownBy(() -> ApiConnection.open(file, null).close())
            .isInstanceOf(StartFailure.class)
            .hasMessageContaining("has no current context: name one by --context; it has: a, b");
      }
    } finally {
      System.clearProperty("KUBERNETES_SERVICE_HOST");
    }
  }

  @Test
  void ofSeveralFilesTheFirstCurrentContextCountsAndAllContextsAre() throws Exception {
    var first = contexts("first", "''", "a");
    var second = contexts("second", "b", "b");
    var none = folder.resolve("none");

    withKubeconfig(
        none + ":" + Files.createFile(folder.resolve("empty")) + ":" + first + ":" + second,
        () -> {
          assertThat(serverOf(null)).endsWith("/b/");
          assertThat(serverOf("a")).endsWith("/a/");
          assertThatThrownBy(() -> serverOf("c"))
              .hasMessageEndingWith("%s:%s has no context \"c\"; it has: a, b", first, second);
        });
  }

  /** Else a token of one cluster would be sent to another. */
  @Test
  void aContextTakesNothingFromTheCurrentOne() throws Exception {
    var file =
        Files.writeString(
            folder.resolve("two"),
            """
            current-context: staging
            clusters:
            - {name: staging, cluster: {server: "https://s.test", insecure-skip-tls-verify: true}}
            - {name: prod, cluster: {server: "https://p.test"}}
            users: [{name: staging, user: {token: secret}}, {name: prod, user: {}}]
            contexts:
            - {name: staging, context: {cluster: staging, user: staging}}
            - {name: prod, context: {cluster: prod, user: prod}}
            """);

    withKubeconfig(
        file.toString(),
        () -> {
          try (var client = ApiConnection.open(null, "prod")) {
            var config = client.getConfiguration();
            assertThat(config.getMasterUrl()).isEqualTo("https://p.test/");
            assertThat(config.getAutoOAuthToken()).isNull();
            assertThat(config.isTrustCerts()).isFalse();
          }
        });
  }

  @Test
  void aUserOfAKubeconfigIsTheOneThatItIsForKubectl() throws Exception {
    Files.writeString(folder.resolve("token"), "of a file\n");
    var file = user("{tokenFile: token, token: old, as: reader, as-groups: [a, b]}");

    try (var client = ApiConnection.open(file, null)) {
      var config = client.getConfiguration();
      assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("of a file");
      Files.writeString(folder.resolve("token"), "rotated\n");
      assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("rotated");
      assertThat(config.getImpersonateUsername()).isEqualTo("reader");
      assertThat(config.getImpersonateGroups()).containsExactly("a", "b");
    }
  }

  /** The JDK would quote it, with the secret. */
  @Test
  void aTokensLineEndIsNoPartOfItAndAnotherWithinIsRefused() throws Exception {
    ApiConnection.open(user("{token: \"secret\\r\\n\"}"), null).close();

    assertThatThrownBy(() -> ApiConnection.open(user("{token: \"secret\\nb\"}"), null).close())
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("no token may have")
        .hasMessageNotContaining("secret");
  }

  @Test
  void aServerNameThatWouldBeIgnoredIsRefused() throws Exception {
    var file = write("https://127.0.0.1:1");
    Files.writeString(
        file, Files.readString(file).replace("server:", "tls-server-name: a.b, server:"));

    assertThatThrownBy(() -> ApiConnection.open(file, null))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("tls-server-name a.b is not supported");
  }

  @Test
  void moreRightsThanTheFileMeansAreNotTaken() throws Exception {
    for (var user :
        List.of(
            "{token: a, as-groups: [b]}",
            "{token: a, as-user-extra: {b: [c]}}",
            "{token: a, as: b, as-uid: c}")) {
      var file = user(user);
      assertThatThrownBy(() -> ApiConnection.open(file, null))
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("as-uid, or as-groups or as-user-extra without as");
    }
  }

  /** The library would ignore them, and all rights of the user remain. */
  @Test
  void groupsAreNotImpersonatedWithoutAUser() throws Exception {
    var file = user("{token: a}");
    assertThatThrownBy(
            () -> ApiConnection.open(file, null, config -> config.withImpersonateGroups("b")))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("groups cannot be impersonated without a user");

    var other = user("{token: a, as: b}");
    ApiConnection.open(other, null, config -> config.withImpersonateGroups("c")).close();
  }

  @Test
  void anExecPluginGetsTheClustersAuthorityOfAFileToo() throws Exception {
    Files.writeString(folder.resolve("ca.crt"), "an authority");
    var plugin =
        plugin(
            "echo \"$KUBERNETES_EXEC_INFO\" >info; echo '{\"status\": {\"token\": \"t\","
                + " \"expirationTimestamp\": null}}'");
    var file = user(plugin.replace("{exec: {", "{exec: {provideClusterInfo: true, "));
    Files.writeString(
        file, Files.readString(file).replace("server:", "certificate-authority: ca.crt, server:"));

    ApiConnection.open(file, null).close();

    assertThat(folder.resolve("info"))
        .content()
        .contains(Base64.getEncoder().encodeToString("an authority".getBytes(UTF_8)));
  }

  @Test
  void anExecPluginsVariableWithoutAValueIsEmpty() throws Exception {
    var plugin = plugin("echo \"{\\\"status\\\": {\\\"token\\\": \\\"t$MORE\\\"}}\"");
    var file = user(plugin.replace(", value: more", ""));

    try (var client = ApiConnection.open(file, null)) {
      assertThat(client.getConfiguration().getOauthTokenProvider().getToken()).isEqualTo("t");
    }
  }

  @Test
  void aRequiredFieldThatIsMissingIsSaid() throws Exception {
    for (var field :
        List.of("server: \"https://127.0.0.1:1\"", "name: u, ", "command: ./plugin, ")) {
      var file = user(plugin("exit 3"));
      Files.writeString(file, Files.readString(file).replace(field, ""));
      assertThatThrownBy(() -> ApiConnection.open(file, null).close())
          .isInstanceOf(StartFailure.class)
          .hasMessage(
              "could not use the kubeconfig %s: a required field is missing, such as name, server"
                  + " or command",
              file);
    }
  }

  @Test
  void anExecPluginMayWarnAndIsRunAgainWhenItsTokenHasExpired() throws Exception {
    var file =
        user(
            plugin(
                """
                echo deprecated >&2
                echo >>runs "$KUBERNETES_EXEC_INFO$MORE $*"
                printf '{"status": {"token": "t%s", "expirationTimestamp": "%s"}}' \\
                  $(wc -l <runs) 2020-01-01T00:00:00Z
                """));

    try (var client = ApiConnection.open(file, null)) {
      var provider = client.getConfiguration().getOauthTokenProvider();
      assertThat(provider.getToken()).isEqualTo("t2");
      assertThat(provider.getToken()).isEqualTo("t3");
    }
    assertThat(folder.resolve("runs")).content().contains("ExecCredential", "}}more a b\n");
    Files.delete(folder.resolve("plugin"));
    try (var client = ApiConnection.open(file, null, config -> config.withOauthToken("given"))) {
      assertThat(client.getConfiguration().getOauthTokenProvider()).as("not run").isNull();
    }
  }

  @Test
  void withoutAnExecPluginsCredentialNothingIsAsked() throws Exception {
    for (var script :
        List.of(
            "exit 3",
            "echo secret",
            "echo '{\"status\": {}}'",
            "echo '{\"status\": {\"token\": \"secret\", \"expirationTimestamp\": \"x\"}}'")) {
      var file = user(plugin(script));
      assertThatThrownBy(() -> ApiConnection.open(file, null))
          .isInstanceOf(StartFailure.class)
          .hasMessageStartingWith("the kubeconfig's exec plugin ./plugin ")
          .hasMessageNotContaining("secret");
    }
    var none = user("{exec: {apiVersion: v1, command: no-such-plugin, installHint: Get it.}}");
    assertThatThrownBy(() -> ApiConnection.open(none, null))
        .hasMessageContainingAll("no-such-plugin could not be run: ", "; Get it.");
  }

  private String plugin(String script) throws Exception {
    var file = folder.resolve("plugin");
    Files.writeString(file, "#!/bin/sh\ncd '%s'\n%s\n".formatted(folder, script));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    return "{exec: {apiVersion: v1, command: ./plugin, args: [a b], env: [{name: MORE, value:"
        + " more}]}}";
  }

  private Path user(String user) throws Exception {
    return Files.writeString(
        folder.resolve("config"),
        """
        current-context: c
        clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
        users: [{name: u, user: %s}]
        contexts: [{name: c, context: {cluster: c, user: u}}]
        """
            .formatted(user));
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
  void whatIsNoKubeconfigIsSaidInOneLineThatQuotesNoneOfIt() throws Exception {
    for (var text :
        List.of(
            "{\n ]",
            "users:\n- token: secret: x",
            "users: [\n  secret",
            "{\n\"users\": secret}",
            "{\"users\": \"secret\"}",
            "users: [{user: secret}]")) {
      var file = Files.writeString(folder.resolve("config"), text);

      assertThatThrownBy(() -> ApiConnection.open(file, null))
          .isInstanceOf(StartFailure.class)
          .hasMessageStartingWith("could not use the kubeconfig " + file + ": ")
          .hasMessageContaining(
              text.contains("\n") ? ": line 2 is not valid YAML" : "a field of the wrong type")
          .extracting(Throwables::getStackTrace, STRING)
          .doesNotContain("secret");
    }
  }

  @Test
  void aFileThatIsNotThereIsSaidWithItsName() throws Exception {
    var file = user("{token: t}");
    Files.writeString(
        file,
        Files.readString(file).replace("server:", "certificate-authority: gone.crt, server:"));

    assertThatThrownBy(() -> ApiConnection.open(file, null).close())
        .isInstanceOf(StartFailure.class)
        .hasMessageEndingWith("NoSuchFileException: " + folder.resolve("gone.crt"));
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
  @CsvSource({
    "proxy-url, localhost, '', '', proxied",
    "proxy-url beside a variable, localhost, '', '', proxied",
    "variable, api.invalid, '', '', proxied",
    "variable, api.invalid, in a pod, '', direct",
    "variable, api.invalid, '', '[::1], *.invalid', direct",
    "variable, api.invalid, '', *, direct",
    "variable, api.invalid, '', API.INVALID:443, direct",
    "variable, api.invalid, '', invalid, direct",
    "variable, api.invalid, '', '*:443', proxied",
    "variable, api.invalid, '', 'valid, i.invalid, .api.invalid, api.invalid:6443', proxied",
    "variable, 0.0.0.0, '', 0.0.0.0/8, direct",
    "variable, 0.0.0.0, '', 0.0.0.1, proxied",
    "variable, [::1], '', '', direct"
  })
  void peoplesProxiesAreHonouredAndThoseOfAPodAreNot(
      String where, String server, String pod, String exceptions, String expected)
      throws Exception {
    var proxied = new CountDownLatch(1);
    try (var proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(
          () -> {
            try (var connection = proxy.accept();
                var request = new Scanner(connection.getInputStream())) {
              if (request.nextLine().startsWith("CONNECT %s:443 ".formatted(server))) {
                proxied.countDown();
              }
            } catch (IOException e) {
              // Closed without a connection.
            }
          });
      var address = "http://127.0.0.1:" + proxy.getLocalPort();
      var file = write("https://" + server);
      if (where.startsWith("proxy-url")) {
        if (!where.equals("proxy-url")) {
          System.setProperty("http.proxy", "http://other.invalid:1");
        }
        var text = Files.readString(file).replace("server:", "proxy-url: " + address + ", server:");
        Files.writeString(file, text);
      } else {
        System.setProperty("https.proxy", address);
        System.setProperty("no.proxy", exceptions);
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
      List.of(
              "http.proxy",
              "https.proxy",
              "no.proxy",
              "KUBERNETES_SERVICE_HOST",
              "KUBERNETES_SERVICE_PORT",
              "kubeconfig")
          .forEach(System::clearProperty);
    }
  }

  /** The JDK would send the password in the clear, or nothing would ask the proxy. */
  @Test
  void aProxyThatCannotBeUsedIsRefused() throws Exception {
    var file = write("https://api.invalid");
    for (var proxy :
        List.of(
            "https://user:secret@127.0.0.1:1",
            "http://us er:secret@a:1",
            "http://user:secret@proxy")) {
      System.setProperty("https.proxy", proxy);
      try {
        assertThatThrownBy(() -> ApiConnection.open(file, null).close())
            .isInstanceOf(StartFailure.class)
            .hasMessageContaining("not valid, has no port or does not begin with http://")
            .hasMessageContaining("HTTPS_PROXY")
            .hasMessageNotContaining("secret");
      } finally {
        System.clearProperty("https.proxy");
      }
    }
    for (var proxy : List.of("127.0.0.1:1", "https://user:secret@proxy", "socks5://proxy:1")) {
      var text = "proxy-url: \"%s\", server:".formatted(proxy);
      Files.writeString(
          write("https://api.invalid"), Files.readString(file).replace("server:", text));
      assertThatThrownBy(() -> ApiConnection.open(file, null).close())
          .isInstanceOf(StartFailure.class)
          .hasMessageContaining("proxy-url is not supported")
          .hasMessageNotContaining("secret");
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
