package dev.shipshape.service;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.ExecEnvVar;
import io.fabric8.kubernetes.client.Config;
import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The credential of a kubeconfig's exec plugin, which is run again when its token has expired. The
 * library would read the plugin's standard error as a part of its answer, hide it from the user,
 * and send requests without a credential if there is none.
 *
 * <p>Source: kubernetes.io/docs/reference/access-authn-authz/authentication, client-go credential
 * plugins.
 */
final class ExecCredential {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final ExecConfig exec;
  private final Path folder;
  private final Config config;
  private @Nullable JsonNode status;

  /** A relative command is relative to the folder. */
  ExecCredential(ExecConfig exec, Path folder, Config config) {
    this.exec = exec;
    this.folder = folder;
    this.config = config;
  }

  /** Runs the plugin, and puts its credential into the config; StartFailure if it gives none. */
  void use() {
    var first = status();
    if (hasCertificate(first)) {
      config.setClientCertData(base64(first.path("clientCertificateData")));
      config.setClientKeyData(base64(first.path("clientKeyData")));
    }
    if (first.hasNonNull("token")) {
      config.setOauthTokenProvider(() -> ApiConnection.stripped(status().path("token").asText()));
    }
  }

  private static boolean hasCertificate(JsonNode status) {
    return status.hasNonNull("clientCertificateData") && status.hasNonNull("clientKeyData");
  }

  private static String base64(JsonNode pem) {
    return Base64.getEncoder().encodeToString(pem.asText().getBytes(StandardCharsets.UTF_8));
  }

  private synchronized JsonNode status() {
    var current = status;
    if (current == null || isExpired(current)) {
      current = run();
      status = current;
    }
    return current;
  }

  private static boolean isExpired(JsonNode status) {
    var end = status.path("expirationTimestamp").asText("");
    return !end.isEmpty() && Instant.parse(end).isBefore(Instant.now());
  }

  private JsonNode run() {
    try {
      var builder = new ProcessBuilder(command()).redirectError(Redirect.INHERIT);
      if (isInteractive()) {
        builder.redirectInput(Redirect.INHERIT);
      }
      var environment = builder.environment();
      environment.put("KUBERNETES_EXEC_INFO", info());
      Objects.requireNonNullElse(exec.getEnv(), List.<ExecEnvVar>of())
          .forEach(
              each ->
                  environment.put(each.getName(), Objects.requireNonNullElse(each.getValue(), "")));
      var process = builder.start();
      process.getOutputStream().close();
      var answer = process.getInputStream().readAllBytes();
      var exit = process.waitFor();
      if (exit != 0) {
        throw failure("ended with " + exit, null);
      }
      var read = MAPPER.readTree(answer).path("status");
      // Its time must be one, also if it has passed.
      var _ = isExpired(read);
      if (!read.hasNonNull("token") && !hasCertificate(read)) {
        throw failure("printed no ExecCredential with a token or a certificate", null);
      }
      return read;
    } catch (JsonProcessingException e) {
      // Its message would quote the answer.
      throw failure("printed no JSON", null);
    } catch (DateTimeException e) {
      throw failure("printed an expirationTimestamp that is no time", null);
    } catch (IOException e) {
      var hint = Objects.requireNonNullElse(exec.getInstallHint(), "");
      throw failure("could not be run: " + e.getMessage() + (hint.isEmpty() ? "" : "; " + hint), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure("was interrupted", e);
    }
  }

  private boolean isInteractive() {
    // Null in a runtime without the console's module.
    return !"Never".equals(exec.getInteractiveMode())
        && Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
  }

  private String info() throws IOException {
    var info = MAPPER.createObjectNode();
    info.put("apiVersion", exec.getApiVersion()).put("kind", "ExecCredential");
    var spec = info.putObject("spec").put("interactive", isInteractive());
    if (Boolean.TRUE.equals(exec.getProvideClusterInfo())) {
      var file = config.getCaCertFile();
      spec.putObject("cluster")
          .put("server", config.getMasterUrl())
          .put(
              "certificate-authority-data",
              config.getCaCertData() != null || file == null
                  ? config.getCaCertData()
                  : Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(file))))
          .put("insecure-skip-tls-verify", config.isTrustCerts());
    }
    return info.toString();
  }

  /** Only a command with a slash is a path; another one is looked for on the PATH. */
  private List<String> command() {
    var command = new ArrayList<String>();
    command.add(
        exec.getCommand().contains(File.separator)
            ? folder.resolve(exec.getCommand()).toString()
            : exec.getCommand());
    command.addAll(Objects.requireNonNullElse(exec.getArgs(), List.of()));
    return command;
  }

  private StartFailure failure(String reason, @Nullable Throwable cause) {
    return new StartFailure(
        "the kubeconfig's exec plugin %s %s".formatted(exec.getCommand(), reason), cause);
  }
}
