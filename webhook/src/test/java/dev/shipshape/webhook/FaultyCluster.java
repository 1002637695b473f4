package dev.shipshape.webhook;

import static dev.shipshape.webhook.NodeConfigs.config;
import static dev.shipshape.webhook.Reviews.creation;

import dev.shipshape.certs.CertificateSource;
import dev.shipshape.sandbox.ControlPlane;
import dev.shipshape.sandbox.junit.FaultyApi;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A webhook that reaches its API server only through what lets things go wrong. */
final class FaultyCluster implements AutoCloseable {
  private final CertificateSource certificates = TestingCertificates.forLoopback();
  private final Api api;
  private final FaultyApi faulty;
  private final KubernetesClient client;
  private @Nullable WebhookServer started;

  private FaultyCluster(Api api, FaultyApi faulty, KubernetesClient client) {
    this.api = api;
    this.faulty = faulty;
    this.client = client;
  }

  /**
   * Makes what the webhook needs in the cluster, but no webhook yet.
   *
   * @param user as whom it asks
   */
  static FaultyCluster open(ControlPlane cluster, String user, Path folder) throws Exception {
    var api = Api.asAdministrator(cluster);
    InstalledWebhook.define(api);
    InstalledWebhook.grant(api, user);
    var faulty = FaultyApi.start(cluster, user);
    var client = InstalledWebhook.clientAt(faulty.address().toString(), folder);
    return new FaultyCluster(api, faulty, client);
  }

  /** Straight to the API server. */
  Api api() {
    return api;
  }

  FaultyApi faulty() {
    return faulty;
  }

  /**
   * Starts the webhook.
   *
   * @param settings besides the addresses
   */
  void startServer(String settings) throws Exception {
    var parsed = InstalledWebhook.onAnyPort(settings);
    started = WebhookServer.start(parsed, certificates, client);
  }

  WebhookServer server() {
    return Objects.requireNonNull(started, "not started");
  }

  /** Asks about the creation of a NodeConfig. */
  HttpResponse<String> validate(String node, int vni) throws Exception {
    return post(creation(config(node, vni).toString()));
  }

  HttpResponse<String> post(String review) throws Exception {
    try (var caller = Caller.of(server(), certificates)) {
      return caller.validate(review);
    }
  }

  @Override
  public void close() {
    if (started != null) {
      started.close();
    }
    client.close();
    faulty.close();
    api.close();
  }
}
