package dev.shipshape.webhook.arming;

import dev.shipshape.service.ApiConnection;
import dev.shipshape.webhook.admission.AdmissionRequest;
import dev.shipshape.webhook.admission.Decision;
import dev.shipshape.webhook.admission.Reason;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Whether the API server itself calls the webhook: a write of our own kind, which is never stored,
 * has to come back through an entry of our own beside those of the guards. Whatever stands between
 * the two stands in its way too: routes, names, certificates, the Service.
 */
final class Proof {
  /** The entry by which it comes back. */
  static final String ENTRY = "proof.shipshape.dev";

  private static final String ANNOTATION = "shipshape.dev/proof";
  private static final String PATH =
      "apis/shipshape.dev/v1alpha1/knowninvalidconfigurations?dryRun=All";

  /** Until it is settled, and once a bundle is another: by then the API server has heard of it. */
  private static final Duration SHORT_PAUSE = Duration.ofSeconds(1);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(3);

  /** Longer than any call of a webhook may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(40);

  /** One may have met a replica that was about to go. */
  private static final int FAILURES = 2;

  /** By then, one that was met at random is all of them. */
  private static final int SETTLED = 10;

  private final KubernetesClient client;
  private final Duration between;

  /** What the API server trusts in the entry. */
  private String bundle = "";

  private String problem = "";
  private int successes;
  private int failures;
  private boolean isOpen;
  private long next = System.nanoTime();

  /**
   * @param between two tries that succeed, once enough have
   */
  Proof(KubernetesClient client, Duration between) {
    this.client = client;
    this.between = between;
  }

  /** What the webhook answers to such a write. */
  static Decision answer(AdmissionRequest request) {
    var nonce = request.object().at("/metadata/annotations").path(ANNOTATION).asText();
    return Decision.of(Reason.PROOF, nonce);
  }

  /**
   * Tries once it is time; returns at once.
   *
   * @param trusted by the entry as it stands, PEM; empty where there is no entry
   */
  synchronized void refresh(String trusted) {
    if (!trusted.equals(bundle)) {
      bundle = trusted;
      problem = "";
      successes = 0;
      failures = 0;
      next = System.nanoTime() + SHORT_PAUSE.toNanos();
    }
    if (!isOpen && !bundle.isEmpty() && System.nanoTime() - next >= 0) {
      isOpen = true;
      var nonce = UUID.randomUUID().toString();
      var ignored =
          CompletableFuture.supplyAsync(() -> request(nonce), Thread.ofVirtual()::start)
              .thenCompose(request -> client.getHttpClient().sendAsync(request, String.class))
              .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
              .thenApply(answer -> problem(nonce, answer))
              .exceptionally(failure -> "the API server does not answer: " + failure)
              .thenAccept(found -> done(trusted, found));
    }
  }

  private HttpRequest request(String nonce) {
    var object =
        """
        {"apiVersion": "shipshape.dev/v1alpha1", "kind": "KnownInvalidConfiguration",
         "metadata": {"name": "proof.%1$s", "annotations": {"%2$s": "%3$s"}},
         "spec": {"guard": "proof", "hash": "v1:%1$s", "verdict": "Cleared"}}
        """
            .formatted("0".repeat(64), ANNOTATION, nonce);
    return client
        .getHttpClient()
        .newHttpRequestBuilder()
        .uri(client.getMasterUrl() + PATH)
        .post("application/json", object)
        .build();
  }

  /** Why it did not come back; empty where it did. */
  private static String problem(String nonce, HttpResponse<String> answer) {
    if (answer.headers("Warning").stream().anyMatch(warning -> warning.contains(nonce))) {
      return "";
    }
    return switch (answer.code()) {
      case HttpURLConnection.HTTP_NOT_FOUND ->
          "the CustomResourceDefinition knowninvalidconfigurations.shipshape.dev is missing, by"
              + " which it is tried whether the API server reaches the webhook";
      case HttpURLConnection.HTTP_CREATED ->
          "the API server does not reach the webhook by %s of the ValidatingWebhookConfiguration: see its log and the metric apiserver_admission_webhook_rejection_count, and what stands between it and the pods' port (routes, firewalls, NetworkPolicies, the Service, the certificate)"
              .formatted(ENTRY);
      default ->
          "the API server answers %d: %s"
              .formatted(answer.code(), ApiConnection.statusMessage(answer.body()));
    };
  }

  private synchronized void done(String tried, String found) {
    isOpen = false;
    if (tried.equals(bundle)) {
      failures = found.isEmpty() ? 0 : failures + 1;
      if (found.isEmpty() || successes == 0 || failures >= FAILURES) {
        problem = found;
        successes = found.isEmpty() ? successes + 1 : 0;
      }
      var pause = !found.isEmpty() ? AFTER_FAILURE : successes < SETTLED ? SHORT_PAUSE : between;
      next = System.nanoTime() + pause.toNanos();
    }
  }

  /** Why no writes should depend on what trusts this bundle; empty where they may. */
  synchronized Optional<String> objection(String trusted) {
    return trusted.equals(bundle) && successes > 0
        ? Optional.empty()
        : Optional.of(
            trusted.equals(bundle) && !problem.isEmpty()
                ? problem
                : "the API server has not called the webhook yet");
  }

  /** Why it is no longer seen, though it was; empty where it is seen. */
  synchronized Optional<String> problem() {
    return problem.isEmpty() ? Optional.empty() : Optional.of(problem);
  }

  /** Whether no replica is left that this bundle does not trust. */
  synchronized boolean isSettled(String trusted) {
    return trusted.equals(bundle) && successes >= SETTLED;
  }

  /** Whether the API server was seen to call the webhook, the last time that it was tried. */
  synchronized boolean isSeen() {
    return successes > 0;
  }
}
