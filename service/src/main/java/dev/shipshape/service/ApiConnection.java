package dev.shipshape.service;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
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

  private ApiConnection() {}

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
    var chosen = Kubeconfig.choose(kubeconfig, context);
    try {
      var read = chosen.read();
      var overridden = new ConfigBuilder(read);
      override.accept(overridden);
      chosen.requireServer(read, overridden.getMasterUrl());
      return connect(overridden.build());
    } catch (StartFailure e) {
      throw e;
    } catch (RuntimeException e) {
      // The library throws whatever comes: for a file that is no YAML, a bad address, a bad key.
      throw new StartFailure("could not use %s: %s".formatted(chosen, innermost(e)), e);
    }
  }

  /**
   * The contexts that a kubeconfig has.
   *
   * @param kubeconfig as for {@link #open(Path, String)}
   * @throws StartFailure as there
   */
  public static List<String> contexts(@Nullable Path kubeconfig) {
    return Kubeconfig.choose(kubeconfig, null).contexts();
  }

  private static KubernetesClient connect(Config read) {
    var config =
        new ConfigBuilder(read)
            .withClientKeyAlgo(ClientKey.algorithm(read))
            .withConnectionTimeout((int) CONNECT.toMillis())
            .withRequestTimeout((int) REQUEST.toMillis())
            .withRequestRetryBackoffLimit(RETRIES)
            .withWatchReconnectInterval((int) FIRST_RECONNECT.toMillis())
            .withMaxConcurrentRequests(REQUESTS_AT_ONCE)
            .withMaxConcurrentRequestsPerHost(REQUESTS_AT_ONCE)
            .withUserAgent("shipshape")
            .build();
    return new KubernetesClientBuilder()
        .withConfig(config)
        .withHttpClientFactory(new JdkHttpClientFactory())
        .withHttpClientBuilderConsumer(
            http -> http.addOrReplaceInterceptor(RetryAfter.NAME, new RetryAfter()))
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
