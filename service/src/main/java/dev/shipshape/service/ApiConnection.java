package dev.shipshape.service;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes clients of the Kubernetes API. Making one sends nothing. */
public final class ApiConnection {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration REQUEST = Duration.ofSeconds(30);

  /** The library allows 5 by default, which turns any larger number of workers into fiction. */
  private static final int REQUESTS_AT_ONCE = 64;

  /** The library retries 10 times by default; callers here see failures and decide themselves. */
  private static final int RETRIES = 2;

  /**
   * The library begins with 1 s, doubled five times: after half a minute without an API server, a
   * watch would be tried again every 32 s only, and what it feeds be that much older. So it is 8 s.
   */
  private static final Duration FIRST_RECONNECT = Duration.ofMillis(250);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private ApiConnection() {}

  /** The message of a Status, the body of an error response; the body if it is none, or is cut. */
  public static String statusMessage(String body) {
    try {
      return MAPPER.readTree(body).path("message").asText(body);
    } catch (JsonProcessingException e) {
      return body;
    }
  }

  /**
   * A client for the cluster that a kubeconfig names.
   *
   * @param kubeconfig the file; null for what kubectl would take: {@code KUBECONFIG}, the pod's
   *     service account, or {@code ~/.kube/config}
   * @param context the kubeconfig's context; null for its current one
   * @throws StartFailure where the named file or context is not there, or nothing can be made of it
   */
  public static KubernetesClient open(@Nullable Path kubeconfig, @Nullable String context) {
    return open(kubeconfig, context, asRead -> {});
  }

  /**
   * Like {@link #open(Path, String)}, with some of it said otherwise.
   *
   * @param override changes what the kubeconfig says, an address or a token for instance
   */
  public static KubernetesClient open(
      @Nullable Path kubeconfig, @Nullable String context, Consumer<ConfigBuilder> override) {
    var name = name(kubeconfig);
    try {
      var read =
          kubeconfig == null
              ? Config.autoConfigure(context)
              : Config.fromKubeconfig(context, requireFile(kubeconfig).toFile());
      var overridden = new ConfigBuilder(read);
      override.accept(overridden);
      requireServer(name, read, context, overridden.getMasterUrl());
      return connect(overridden.build());
    } catch (StartFailure e) {
      throw e;
    } catch (RuntimeException e) {
      // The library throws whatever comes: for a file that is no YAML, a bad address, a bad key.
      throw new StartFailure("could not use %s: %s".formatted(name, innermost(e)), e);
    }
  }

  private static Path requireFile(Path kubeconfig) {
    if (!Files.isRegularFile(kubeconfig)) {
      throw new StartFailure(
          "could not read the kubeconfig %s: there is no such file".formatted(kubeconfig));
    }
    return kubeconfig;
  }

  private static String name(@Nullable Path kubeconfig) {
    return "the kubeconfig "
        + (kubeconfig == null
            ? String.join(File.pathSeparator, Config.getKubeconfigFilenames())
            : kubeconfig);
  }

  /**
   * The library makes up an address if no file names one, and ignores a context that it does not
   * find.
   *
   * @param address to be asked, as overridden
   */
  private static void requireServer(
      String name, Config read, @Nullable String context, @Nullable String address) {
    var current = read.getCurrentContext();
    var contexts = Objects.requireNonNullElse(read.getContexts(), List.<NamedContext>of());
    var existing =
        contexts.isEmpty()
            ? "it has none"
            : contexts.stream().map(NamedContext::getName).collect(joining(", ", "it has: ", ""));
    if (context != null && (current == null || !context.equals(current.getName()))) {
      throw new StartFailure("%s has no context \"%s\"; %s".formatted(name, context, existing));
    }
    if (current != null || !Objects.equals(address, read.getMasterUrl()) || isInPod()) {
      return;
    }
    throw new StartFailure(
        contexts.isEmpty()
            ? name + " is not there, or names no cluster: name one by --kubeconfig or KUBECONFIG"
            : "%s has no current context: name one by --context; %s".formatted(name, existing));
  }

  private static boolean isInPod() {
    return variable(Config.KUBERNETES_SERVICE_HOST_PROPERTY).isPresent();
  }

  /**
   * Honours the proxies of people. A pod's HTTPS_PROXY is for the way out of the cluster, and its
   * API server is inside.
   */
  private static Config proxied(Config config) {
    if (config.getCurrentContext() == null && isInPod()) {
      config.setHttpProxy(null);
      config.setHttpsProxy(null);
      return config;
    }
    if (config.getHttpsProxy() == null) {
      // The library takes http://proxy for servers with http:// alone, and no variable with a file.
      var isOfKubeconfig = variable(Config.KUBERNETES_HTTP_PROXY).isEmpty();
      var variables =
          variable(Config.KUBERNETES_HTTPS_PROXY).or(() -> variable(Config.KUBERNETES_ALL_PROXY));
      config.setHttpsProxy(
          isOfKubeconfig && config.getHttpProxy() != null
              ? config.getHttpProxy()
              : variables.orElse(null));
    }
    var excepted = variable(Config.KUBERNETES_NO_PROXY).map(all -> "," + all).orElse("");
    config.setNoProxy(("localhost,127.0.0.1" + excepted).split(","));
    return config;
  }

  private static Optional<String> variable(String name) {
    return Optional.ofNullable(Utils.getSystemPropertyOrEnvVar(name)).filter(it -> !it.isEmpty());
  }

  /**
   * What kind of key a client certificate goes with. The library takes each PKCS #8 key for RSA,
   * and many clusters have elliptic curve keys.
   */
  private static @Nullable String keyAlgorithm(Config config) {
    if (config.getClientCertData() == null && config.getClientCertFile() == null) {
      return config.getClientKeyAlgo();
    }
    try (var certificate =
        CertUtils.getInputStreamFromDataOrFile(
            config.getClientCertData(), config.getClientCertFile())) {
      return CertificateFactory.getInstance("X.509")
          .generateCertificate(certificate)
          .getPublicKey()
          .getAlgorithm();
    } catch (CertificateException | IOException | IllegalArgumentException e) {
      // The library reports better what is wrong with it.
      return config.getClientKeyAlgo();
    }
  }

  private static KubernetesClient connect(Config read) {
    var config =
        new ConfigBuilder(read)
            .withClientKeyAlgo(keyAlgorithm(read))
            .withConnectionTimeout((int) CONNECT.toMillis())
            .withRequestTimeout((int) REQUEST.toMillis())
            .withRequestRetryBackoffLimit(RETRIES)
            .withWatchReconnectInterval((int) FIRST_RECONNECT.toMillis())
            .withMaxConcurrentRequests(REQUESTS_AT_ONCE)
            .withMaxConcurrentRequestsPerHost(REQUESTS_AT_ONCE)
            .withUserAgent("shipshape")
            .build();
    return new KubernetesClientBuilder()
        .withConfig(proxied(config))
        .withHttpClientFactory(new JdkHttpClientFactory())
        .withHttpClientBuilderConsumer(
            http ->
                http.addOrReplaceInterceptor(RetryAfter.NAME, new RetryAfter(RetryAfter.LONGEST)))
        .withKubernetesSerialization(serialization())
        .build();
  }

  /**
   * The library would load its two thousand classes for every kind that there is, to find the one
   * that an object of unknown kind is of: 0.15 s of every start, and memory for ever. What is read
   * here is of a kind that is asked for, but for a watch's errors, which are a Status.
   */
  private static KubernetesSerialization serialization() {
    var serialization = new KubernetesSerialization(new ObjectMapper(), false);
    for (var watched : List.of(Status.class, ConfigMap.class, Node.class, Secret.class)) {
      serialization.registerKubernetesResource(watched);
    }
    return serialization;
  }

  /** The cause that names the mistake, in one line. */
  private static String innermost(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse(cause.toString());
  }
}
