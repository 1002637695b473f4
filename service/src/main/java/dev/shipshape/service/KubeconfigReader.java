package dev.shipshape.service;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads kubeconfig files. The library does not read all of a user that kubectl reads; a command
 * would act as another user, or as nobody.
 */
final class KubeconfigReader {
  /** Of the library's words, {@code in reader, line 2} of YAML, {@code ; line: 2} of JSON. */
  private static final Pattern LINE = Pattern.compile("(?s).*(?:in reader, line|; line:) (\\d+).*");

  private KubeconfigReader() {}

  /**
   * @param files the first with a name counts, as for kubectl
   * @param context null for the current one
   * @param hasToken whether another token takes the place of the user's
   */
  static Config read(List<File> files, @Nullable String context, boolean hasToken) {
    var parsed =
        files.stream()
            .map(KubeconfigReader::parse)
            .toArray(io.fabric8.kubernetes.api.model.Config[]::new);
    var config = Config.empty();
    // With a provider, the library does not run exec plugins.
    config.setOauthTokenProvider(() -> "");
    KubeConfigUtils.merge(config, context, parsed);
    config.setOauthTokenProvider(null);
    if (config.getTlsServerName() != null) {
      throw new StartFailure(
          "the kubeconfig's tls-server-name %s is not supported: the API server's certificate must have the name in its address"
              .formatted(config.getTlsServerName()));
    }
    if (config.getCurrentContext() != null) {
      var current = config.getCurrentContext().getContext();
      requireProxyByHttp(current.getCluster(), parsed);
      user(current.getUser(), parsed).ifPresent(user -> use(user, hasToken, config));
    }
    if (config.getOauthTokenProvider() == null && config.getAuthProvider() == null) {
      // Else the library reads the file again after a minute, by its own rules.
      var read = config.getAutoOAuthToken();
      var token = read == null ? null : ApiConnection.stripped(read);
      config.setOauthTokenProvider(() -> token);
    }
    return config;
  }

  /** Without the library's words: they quote lines and values, which may be tokens. */
  private static io.fabric8.kubernetes.api.model.Config parse(File file) {
    try {
      return KubeConfigUtils.parseConfig(file);
    } catch (RuntimeException e) {
      if (e.getCause() instanceof FileSystemException) {
        throw e;
      }
      var at = LINE.matcher(e.getMessage() + e.getCause());
      throw new StartFailure(
          "could not use the kubeconfig %s: %s is not valid YAML, or has a field of the wrong type"
              .formatted(file, at.matches() ? "line " + at.group(1) : "it"));
    }
  }

  /** The library ignores an address without a scheme, and the connection would be direct. */
  private static void requireProxyByHttp(
      String cluster, io.fabric8.kubernetes.api.model.Config[] parsed) {
    var isOther =
        Stream.of(parsed)
            .flatMap(file -> Stream.ofNullable(file.getClusters()))
            .flatMap(List::stream)
            .filter(each -> each.getName().equals(cluster))
            .limit(1)
            .flatMap(each -> Stream.ofNullable(each.getCluster()))
            .flatMap(each -> Stream.ofNullable(each.getProxyUrl()))
            .anyMatch(proxy -> !proxy.isEmpty() && !proxy.startsWith("http://"));
    if (isOther) {
      throw new StartFailure(
          "the kubeconfig's proxy-url is not supported, as it does not begin with http://");
    }
  }

  private static Optional<AuthInfo> user(
      String name, io.fabric8.kubernetes.api.model.Config[] parsed) {
    return Stream.of(parsed)
        .flatMap(file -> Stream.ofNullable(file.getUsers()))
        .flatMap(List::stream)
        .filter(each -> each.getName().equals(name))
        .map(NamedAuthInfo::getUser)
        .filter(Objects::nonNull)
        .findFirst();
  }

  private static void use(AuthInfo user, boolean hasToken, Config config) {
    var folder = folder(config);
    if (user.getTokenFile() != null && !user.getTokenFile().isEmpty()) {
      var file = folder.resolve(user.getTokenFile());
      config.setAutoOAuthToken(token(file));
      config.setOauthTokenProvider(() -> token(file));
    }
    var isImpersonated = !Objects.requireNonNullElse(user.getAs(), "").isEmpty();
    var groups = Objects.requireNonNullElse(user.getAsGroups(), List.<String>of());
    var extra = Objects.requireNonNullElse(user.getAsUserExtra(), Map.of());
    if (!Objects.requireNonNullElse(user.getAsUid(), "").isEmpty()
        || (!isImpersonated && !(groups.isEmpty() && extra.isEmpty()))) {
      throw new StartFailure(
          "the kubeconfig's user has as-uid, or as-groups or as-user-extra without as: that is not"
              + " supported");
    }
    if (isImpersonated) {
      config.setImpersonateUsername(user.getAs());
      config.setImpersonateGroups(groups.toArray(String[]::new));
      config.setImpersonateExtras(user.getAsUserExtra());
    }
    if (user.getExec() != null && !hasToken && !hasCredential(config)) {
      new ExecCredential(user.getExec(), folder, config).use();
    }
  }

  private static boolean hasCredential(Config config) {
    return config.getAutoOAuthToken() != null
        || config.getUsername() != null
        || config.getClientCertData() != null
        || config.getClientCertFile() != null;
  }

  /** The folder of the user's file, which relative paths are relative to. */
  private static Path folder(Config config) {
    var file = KubeConfigUtils.getFileWithNamedAuthInfo(config.getCurrentContext());
    return file == null ? Path.of("") : file.toPath().toAbsolutePath().resolveSibling("");
  }

  private static String token(Path file) {
    try {
      return ApiConnection.stripped(Files.readString(file));
    } catch (IOException e) {
      throw new StartFailure("could not read the kubeconfig's tokenFile: " + e, e);
    }
  }
}
