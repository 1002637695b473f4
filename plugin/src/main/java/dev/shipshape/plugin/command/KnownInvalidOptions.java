package dev.shipshape.plugin.command;

import dev.shipshape.plugin.review.GuardedKinds;
import dev.shipshape.plugin.review.KnownInvalidReader;
import dev.shipshape.service.BadSettings;
import dev.shipshape.service.StartFailure;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import dev.shipshape.webhook.store.KnownInvalidClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;

/** Selects the cluster whose KnownInvalidConfigurations a command uses. */
final class KnownInvalidOptions {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  /**
   * @throws StartFailure if the API server does not serve them
   * @throws KubernetesClientException if it refuses it or does not respond
   */
  <T> T at(Function<KnownInvalidClient, T> action) {
    try (var client = cluster.connect()) {
      return action.apply(new KnownInvalidClient(client));
    } catch (KubernetesClientException e) {
      throw e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
          ? new StartFailure(
              "this cluster has no %s; install the chart with crds.enabled=true"
                  .formatted(KnownInvalidClient.RESOURCE),
              e)
          : e;
    }
  }

  /** Returns the rules of the release in that cluster. */
  GuardedKinds rules(GuardOptions guards, String namespace) throws BadSettings {
    try (var client = cluster.connect()) {
      return guards.of(client, namespace);
    }
  }

  /** Returns the invalid and suspected ones, the newest failure first. */
  static List<KnownInvalidConfiguration> newestFirst(KnownInvalidClient client) {
    return client.list().stream()
        .map(KnownInvalidReader::known)
        .flatMap(Optional::stream)
        .filter(KnownInvalidConfiguration::isEffective)
        .sorted(Comparator.comparing(KnownInvalidConfiguration::lastFailedAt).reversed())
        .toList();
  }

  String command(String command) {
    return ProgramName.command(
        Stream.concat(Stream.of(command), cluster.flags().stream()).toList());
  }
}
