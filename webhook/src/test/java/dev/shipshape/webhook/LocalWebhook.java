package dev.shipshape.webhook;

import dev.shipshape.certs.Authority;
import dev.shipshape.certs.CertificateSource;
import dev.shipshape.certs.ServerRequest;
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
    Decider decider =
        echo
            ? request -> new Decision.Allow(Decision.Grounds.NOT_GUARDED)
            : new ValidationDecider(guards.guards(), Scope.CLUSTER);
    var entries =
        List.of(
            new AdmissionEntry(Entry.VALIDATE, Mode.ENFORCE, decider, metrics),
            new AdmissionEntry(Entry.MUTATE, Mode.ENFORCE, new Stamper(guards.guards()), metrics));
    var authority = Authority.create("local", Duration.ofDays(1), InstantSource.system());
    var certificates =
        CertificateSource.inMemory(
            authority, new ServerRequest("local", List.of("127.0.0.1"), Duration.ofDays(1)));
    var door =
        new AdmissionDoor(vertx, entries, metrics, new DecisionWorkers(processors), () -> false);
    var address = new WebhookSettings.Address("127.0.0.1", port);
    var server = AdmissionServer.start(vertx, address, certificates, door, processors);
    System.out.printf("https://127.0.0.1:%d/validate%n", server.port());
  }
}
