package dev.shipshape.service;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.internal.CertUtils;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import io.fabric8.kubernetes.client.jdkhttp.JdkHttpClientFactory;
import io.fabric8.kubernetes.client.utils.IpAddressMatcher;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes clients of the Kubernetes API. Sends no request. */
public final class ApiConnection {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

  /** The library's default of 5 would limit the number of workers. */
  private static final int MAX_CONCURRENT_REQUESTS = 64;

  /** The library's default is 10; here, callers handle failures. */
  private static final int RETRIES = 2;

  /**
   * The library begins with 1 s and doubles it five times. After half a minute without an API
   * server, it would reconnect a watch every 32 s, and its data would be that old. With this value
   * it is 8 s.
   */
  private static final Duration FIRST_RECONNECT = Duration.ofMillis(250);

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Fields of pods and their templates that nothing here reads. The library would load 300 classes
   * for them, three for each kind of volume, in each command that asks for pods. What was read must
   * not be written back: workloads are patched.
   */
  private static final Map<Class<?>, JsonIgnoreProperties.Value> UNREAD =
      Map.of(
          PodTemplateSpec.class,
          fields("spec"),
          PodSpec.class,
          fields(
              "affinity dnsConfig ephemeralContainers hostAliases imagePullSecrets os overhead"
                  + " readinessGates resourceClaims resources schedulingGates schedulingGroup"
                  + " securityContext tolerations topologySpreadConstraints volumes"),
          Container.class,
          fields(
              "env envFrom lifecycle livenessProbe ports readinessProbe resizePolicy resources"
                  + " restartPolicyRules securityContext startupProbe volumeDevices volumeMounts"),
          PodStatus.class,
          fields(
              "ephemeralContainerStatuses extendedResourceClaimStatus hostIPs podIPs"
                  + " nodeAllocatableResourceClaimStatuses resourceClaimStatuses resources"),
          ContainerStatus.class,
          fields("allocatedResources allocatedResourcesStatus resources user volumeMounts"));

  private ApiConnection() {}

  public static String namespace(KubernetesClient client) {
    return Objects.requireNonNullElse(client.getNamespace(), "default");
  }

  /** Whether it serves a resource of a group and version, such as {@code apps/v1} or {@code v1}. */
  public static boolean serves(KubernetesClient client, String groupVersion, String plural) {
    var found = client.getApiResources(groupVersion);
    return found != null
        && found.getResources().stream().anyMatch(each -> each.getName().equals(plural));
  }

  /**
   * Returns the list. Another response, as of a proxy, must not look like an empty one: all objects
   * would count as gone.
   *
   * @param attempted what failed if it is none, such as {@code could not list}
   */
  public static <L extends KubernetesResourceList<?>> L requireList(
      @Nullable L list, String attempted) {
    if (list == null
        || list.getMetadata() == null
        || list.getMetadata().getResourceVersion() == null) {
      throw new KubernetesClientException(
          attempted
              + ": the answer has no metadata.resourceVersion, so it is not a list; check whether a"
              + " proxy answered instead of the API server");
    }
    return list;
  }

  /** Returns the message of a Status in the body of an error; the body itself if it is not one. */
  public static String statusMessage(String body) {
    try {
      return MAPPER.readTree(body).path("message").asText(body);
    } catch (JsonProcessingException e) {
      return body;
    }
  }

  /**
   * Returns a client for the cluster of a kubeconfig.
   *
   * @param kubeconfig the file; null for the same as kubectl: {@code KUBECONFIG}, the pod's service
   *     account, or {@code ~/.kube/config}
   * @param context the kubeconfig's context; null for its current one
   * @throws StartFailure if the file or context does not exist or is invalid
   */
  public static KubernetesClient open(@Nullable Path kubeconfig, @Nullable String context) {
    return open(kubeconfig, context, asRead -> {});
  }

  /** Like {@link #open(Path, String)}, but changes values such as the address or the token. */
  public static KubernetesClient open(
      @Nullable Path kubeconfig, @Nullable String context, Consumer<ConfigBuilder> override) {
    var name = name(kubeconfig);
    try {
      var files = kubeconfig == null ? files() : List.of(requireFile(kubeconfig).toFile());
      var read =
          files.isEmpty()
              ? Config.autoConfigure(null)
              : KubeconfigReader.read(files, context, hasToken(override));
      var overridden = new ConfigBuilder(read);
      override.accept(overridden);
      if (overridden.getOauthToken() != null) {
        overridden.withOauthTokenProvider(null);
      }
      if (overridden.hasImpersonateGroups() && overridden.getImpersonateUsername() == null) {
        throw new StartFailure("groups cannot be impersonated without a user: name one, too");
      }
      requireServer(name, read, context, overridden.getMasterUrl());
      return connect(overridden.build());
    } catch (StartFailure e) {
      throw e;
    } catch (RuntimeException e) {
      // The library throws different exceptions for invalid YAML, a bad address, a bad key.
      throw new StartFailure("could not use %s: %s".formatted(name, innermost(e)), e);
    }
  }

  /**
   * Returns a token without the white space around it.
   *
   * @throws StartFailure if it has a line break or the like: the JDK would quote the whole token
   */
  public static String stripped(String token) {
    var stripped = token.strip();
    if (stripped.chars().anyMatch(each -> each < ' ' || each > '~')) {
      throw new StartFailure(
          "the user's token has a character that no token may have, such as a line break");
    }
    return stripped;
  }

  private static boolean hasToken(Consumer<ConfigBuilder> override) {
    var overrides = new ConfigBuilder(Config.empty());
    override.accept(overrides);
    return overrides.getOauthToken() != null;
  }

  /** An empty file counts as none, as for kubectl. */
  private static List<File> files() {
    return Config.getKubeconfigFilenames().stream()
        .map(File::new)
        .filter(file -> file.isFile() && file.length() > 0)
        .toList();
  }

  private static Path requireFile(Path kubeconfig) {
    if (!Files.isRegularFile(kubeconfig) || kubeconfig.toFile().length() == 0) {
      throw new StartFailure(
          "could not read the kubeconfig %s: there is no such file, or it is empty"
              .formatted(kubeconfig));
    }
    return kubeconfig;
  }

  private static String name(@Nullable Path kubeconfig) {
    return "the kubeconfig "
        + (kubeconfig == null
            ? String.join(File.pathSeparator, Config.getKubeconfigFilenames())
            : kubeconfig);
  }

  /** The library uses a default address if no file has one, and ignores a missing context. */
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
    if (!Objects.equals(address, read.getMasterUrl()) || (contexts.isEmpty() && isInPod())) {
      return;
    }
    if (current == null) {
      throw new StartFailure(
          contexts.isEmpty()
              ? name + " is not there, or names no cluster: name one by --kubeconfig or KUBECONFIG"
              : "%s has no current context: name one by --context; %s".formatted(name, existing));
    }
    if (KubeConfigUtils.getFileWithNamedCluster(current) == null) {
      throw new StartFailure(
          "%s has no cluster \"%s\", which its context \"%s\" names"
              .formatted(name, current.getContext().getCluster(), current.getName()));
    }
  }

  private static boolean isInPod() {
    return variable(Config.KUBERNETES_SERVICE_HOST_PROPERTY).isPresent();
  }

  /**
   * Decides by Go's rules, as kubectl and Helm do, and leaves the library no exceptions to judge:
   * it looks up names for them. Ignores the proxies of a pod: they lead out of the cluster, and the
   * API server is inside.
   */
  private static Config withProxies(Config config) {
    var isFromFile = config.getCurrentContext() != null;
    var server = URI.create(config.getMasterUrl());
    config.setNoProxy(new String[0]);
    if (isFromFile && (config.getHttpsProxy() != null || config.getHttpProxy() != null)) {
      // The kubeconfig's proxy is for this server, whatever its address. The library uses an
      // http:// proxy only for http:// servers.
      config.setHttpsProxy(
          Objects.requireNonNullElse(config.getHttpsProxy(), config.getHttpProxy()));
    } else if ((!isFromFile && isInPod()) || isExempt(server)) {
      config.setHttpProxy(null);
      config.setHttpsProxy(null);
    } else if (config.getHttpsProxy() == null) {
      // The library ignores the variables if it reads a file.
      config.setHttpsProxy(variable(Config.KUBERNETES_HTTPS_PROXY).orElse(null));
    }
    var proxy = config.getHttpsProxy();
    if (proxy != null && "https".equals(server.getScheme())) {
      if (!isProxy(proxy)) {
        // Without its text, which may have a password.
        throw new StartFailure(
            "the proxy is not supported, as its address is not valid, has no port or does not begin"
                + " with http:// (HTTPS_PROXY)");
      }
      if (String.valueOf(server.getHost()).startsWith("[")) {
        throw new StartFailure(
            "no proxy can be used for the IPv6 address in %s: use its DNS name, no proxy-url, or except it by NO_PROXY"
                .formatted(server));
      }
    }
    return config;
  }

  /** The JDK's client speaks plain HTTP to any proxy, also of https://, and sends the password. */
  private static boolean isProxy(String address) {
    try {
      var uri = new URI(address.contains("://") ? address : "http://" + address);
      return "http".equals(uri.getScheme()) && uri.getHost() != null && uri.getPort() >= 0;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean isExempt(URI server) {
    var host = unbracketed(String.valueOf(server.getHost()).toLowerCase(Locale.ROOT));
    if (host.equals("localhost")
        || (isAddress(host) && InetAddress.ofLiteral(host).isLoopbackAddress())) {
      return true;
    }
    var port = ":" + (server.getPort() < 0 ? 443 : server.getPort());
    var exceptions = variable(Config.KUBERNETES_NO_PROXY).orElse("").toLowerCase(Locale.ROOT);
    return Stream.of(exceptions.split("[\\s,]+"))
        .anyMatch(each -> each.equals("*") || isMatch(withoutPort(each, port), host));
  }

  private static boolean isMatch(String exception, String host) {
    if (isAddress(host)) {
      return isAddress(exception.replaceFirst("/\\d+$", ""))
          && new IpAddressMatcher(exception).matches(host);
    }
    var domain = exception.replaceFirst("^\\*?\\.", "");
    return !domain.isEmpty()
        && (host.endsWith("." + domain) || (host.equals(domain) && exception.equals(domain)));
  }

  private static String withoutPort(String exception, String port) {
    return unbracketed(
        isAddress(exception) || !exception.endsWith(port)
            ? exception
            : exception.substring(0, exception.length() - port.length()));
  }

  private static String unbracketed(String host) {
    return host.replaceAll("[\\[\\]]", "");
  }

  private static boolean isAddress(String text) {
    try {
      return InetAddress.ofLiteral(text) != null;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Reads HTTPS_PROXY or https_proxy, by the library's name for it, https.proxy. */
  private static Optional<String> variable(String name) {
    return Optional.ofNullable(Utils.getSystemPropertyOrEnvVar(name))
        .filter(it -> !it.isEmpty())
        .or(() -> Optional.ofNullable(System.getenv(name.replace('.', '_'))))
        .filter(it -> !it.isEmpty());
  }

  /** The library assumes RSA for each PKCS #8 key, but many clusters use elliptic curves. */
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
      // The library reports the mistake better.
      return config.getClientKeyAlgo();
    }
  }

  private static KubernetesClient connect(Config read) {
    var config =
        new ConfigBuilder(read)
            .withClientKeyAlgo(keyAlgorithm(read))
            // With HTTP/2, all watches share one connection. If it dies without a word, as at a
            // load balancer, only the requests end, and the next ones use it again.
            .withHttp2Disable(true)
            .withConnectionTimeout((int) CONNECT_TIMEOUT.toMillis())
            .withRequestTimeout((int) REQUEST_TIMEOUT.toMillis())
            .withRequestRetryBackoffLimit(RETRIES)
            .withWatchReconnectInterval((int) FIRST_RECONNECT.toMillis())
            .withMaxConcurrentRequests(MAX_CONCURRENT_REQUESTS)
            .withMaxConcurrentRequestsPerHost(MAX_CONCURRENT_REQUESTS)
            .withUserAgent("shipshape")
            .build();
    return new KubernetesClientBuilder()
        .withConfig(withProxies(config))
        .withHttpClientFactory(new JdkHttpClientFactory())
        .withHttpClientBuilderConsumer(
            http ->
                http.addOrReplaceInterceptor(RetryAfter.NAME, new RetryAfter(RetryAfter.MAX_WAIT))
                    .addOrReplaceInterceptor(
                        ResponseTimeout.NAME, new ResponseTimeout(ResponseTimeout.TIMEOUT)))
        .withKubernetesSerialization(serialization())
        .build();
  }

  /**
   * Registers only the kinds that watches deserialise by their {@code kind}: watched kinds, and
   * Status for errors. The library would load its two thousand classes of all kinds: 0.15 s of
   * every start, and memory.
   */
  private static KubernetesSerialization serialization() {
    var mapper = new ObjectMapper();
    UNREAD.forEach((kind, fields) -> mapper.configOverride(kind).setIgnorals(fields));
    var serialization = new KubernetesSerialization(mapper, false);
    for (var watched : List.of(Status.class, ConfigMap.class, Secret.class)) {
      serialization.registerKubernetesResource(watched);
    }
    return serialization;
  }

  private static JsonIgnoreProperties.Value fields(String names) {
    return JsonIgnoreProperties.Value.forIgnoredProperties(names.split(" "));
  }

  private static String innermost(Throwable failure) {
    var cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof NullPointerException) {
      return "a required field is missing, such as name, server or command";
    }
    if (cause instanceof FileSystemException) {
      // Its message is the file's path alone.
      return cause.toString();
    }
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse(cause.toString());
  }
}
