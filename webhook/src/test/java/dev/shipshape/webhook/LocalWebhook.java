package dev.shipshape.webhook;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServerRequest;
import dev.shipshape.webhook.admission.AdmissionEndpoint;
import dev.shipshape.webhook.admission.AdmissionHandler;
import dev.shipshape.webhook.admission.AdmissionMetrics;
import dev.shipshape.webhook.admission.AdmissionRoutes;
import dev.shipshape.webhook.admission.BodyBudget;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Endpoint;
import dev.shipshape.webhook.admission.Reason;
import dev.shipshape.webhook.config.Scope;
import dev.shipshape.webhook.config.WebhookSettings;
import dev.shipshape.webhook.mutation.HashAnnotator;
import dev.shipshape.webhook.server.AdmissionServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/**
 * The HTTPS port without a cluster, with 1,000 configurations known invalid: to try by hand and to
 * measure.
 *
 * <pre>{@code
 * curl -k https://127.0.0.1:9443/validate -H 'Content-Type: application/json' -d @review.json
 * }</pre>
 *
 * <p>Arguments: the port, and {@code echo} for one that allows without deciding.
 */
final class LocalWebhook {
  private LocalWebhook() {}

  public static void main(String[] arguments) {
    var port = Integer.parseInt(arguments[0]);
    var echo = arguments.length > 1 && arguments[1].equals("echo");
    var processors = Runtime.getRuntime().availableProcessors();
    var vertx = Vertx.vertx();
    var metrics = new AdmissionMetrics(new SimpleMeterRegistry());
    var guards = new TestingGuards();
    for (var count = 0; count < 1000; count++) {
      var spec = "{\"layer2\":[{\"id\":%d}]}".formatted(count);
      guards.holding(Reviews.record("worker-" + count, "-invalid", spec));
    }
    AdmissionHandler validate =
        echo ? request -> Decision.of(Reason.NOT_GUARDED) : guards.decider(Scope.CLUSTER)::deny;
    var endpoints =
        List.of(
            new AdmissionEndpoint(Endpoint.VALIDATE, validate, metrics, List.of()),
            new AdmissionEndpoint(
                Endpoint.MUTATE, new HashAnnotator(guards.guards()), metrics, List.of()));
    var authority = Authority.create("local", Duration.ofDays(1), InstantSource.system());
    var certificates =
        CertificateSource.inMemory(
            authority, new ServerRequest("local", List.of("127.0.0.1"), Duration.ofDays(1)));
    var handler =
        AdmissionRoutes.router(vertx, endpoints, metrics, () -> false, BodyBudget.ofHeap());
    var address = new WebhookSettings.Address("127.0.0.1", port);
    var server =
        AdmissionServer.start(
            vertx,
            address,
            certificates,
            null,
            AdmissionServer.Limits.of(1_000, false),
            handler,
            processors);
    System.out.printf("https://127.0.0.1:%d/validate%n", server.port());
  }
}
