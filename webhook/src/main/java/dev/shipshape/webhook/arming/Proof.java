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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Checks that the API server calls the webhook: sends a dry-run write of a resource of our own, for
 * which an entry of our own calls the webhook. This uses the same path as calls of the guards:
 * routes, DNS names, certificates and the Service.
 */
public final class Proof {
  /** The entry through which replicas check that the API server calls them. */
  public static final String ENTRY = "proof.shipshape.dev";

  private static final String ANNOTATION = "shipshape.dev/proof";
  private static final String PATH =
      "apis/shipshape.dev/v1alpha1/knowninvalidconfigurations?dryRun=All";

  /** Until the result is settled, and until the API server has seen a new bundle. */
  private static final Duration SHORT_PAUSE = Duration.ofSeconds(1);

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(3);

  /** Longer than any call of a webhook may take. */
  private static final Duration TIMEOUT = Duration.ofSeconds(40);

  /** A single failure may come from a replica that was shutting down. */
  private static final int MAX_FAILURES = 2;

  /** After this many successes, randomly selected replicas are assumed to be all replicas. */
  private static final int SETTLED_SUCCESSES = 20;

  private static final int TOO_MANY_REQUESTS = 429;

  /** Codes that say nothing about calls of the webhook. */
  private static final Set<Integer> UNDECIDED =
      Set.of(HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_NOT_FOUND, TOO_MANY_REQUESTS);

  private static final String THROTTLED =
      "the API server throttles the webhook's own test request (429), so it is not known whether"
          + " it calls the webhook: see its FlowSchemas and PriorityLevelConfigurations";

  private final KubernetesClient client;
  private final String namespace;
  private final Duration interval;
  private final Supplier<Optional<String>> certificateProblem;

  /** The CA bundle of the entry, PEM. */
  private String bundle = "";

  private String problem = "";
  private boolean isSuccessful;

  /** Successes without any failure between them. */
  private int inARow;

  private int failures;
  private boolean isPending;
  private long nextRequest = System.nanoTime();

  /**
   * @param interval between requests once the result is settled
   * @param certificateProblem why clients will not accept the served certificate; empty if they may
   */
  Proof(
      KubernetesClient client,
      String namespace,
      Duration interval,
      Supplier<Optional<String>> certificateProblem) {
    this.client = client;
    this.namespace = namespace;
    this.interval = interval;
    this.certificateProblem = certificateProblem;
  }

  /** Returns the nonce of the request as a warning; not that of a release in another namespace. */
  public static Decision respond(String namespace, AdmissionRequest request) {
    var nonce = request.object().at("/metadata/annotations").path(ANNOTATION).asText();
    return Decision.of(Reason.PROOF, nonce.startsWith(namespace + "/") ? nonce : "");
  }

  /** Starts a request if one is due. The trusted PEM bundle is empty if there is no entry. */
  synchronized void refresh(String trusted) {
    if (!trusted.equals(bundle)) {
      bundle = trusted;
      problem = "";
      isSuccessful = false;
      inARow = 0;
      failures = 0;
      nextRequest = System.nanoTime() + SHORT_PAUSE.toNanos();
    }
    if (!isPending && !bundle.isEmpty() && System.nanoTime() - nextRequest >= 0) {
      var asked = ask(client, namespace, Proof::problem);
      isPending = true;
      var ignored = asked.thenAccept(found -> done(trusted, found));
    }
  }

  /**
   * Sends one request with the rights of a person.
   *
   * @param namespace of the release
   * @return why the API server did not call the webhook, or another webhook fails; empty if it did,
   *     or if the person may not create the resource, or it does not exist
   */
  public static Optional<String> attempt(KubernetesClient client, String namespace) {
    return Optional.of(ask(client, namespace, Proof::problemOfAttempt).join())
        .filter(problem -> !problem.isEmpty());
  }

  private static String problemOfAttempt(String nonce, HttpResponse<String> response) {
    return UNDECIDED.contains(response.code())
        ? ""
        : response.code() >= HttpURLConnection.HTTP_INTERNAL_ERROR
            ? answer(response)
            : problem(nonce, response);
  }

  /** Sends one request, and returns what {@code judge} makes of the nonce and the response. */
  private static CompletableFuture<String> ask(
      KubernetesClient client,
      String namespace,
      BiFunction<String, HttpResponse<String>, String> judge) {
    // A namespace has one release.
    var nonce = namespace + "/" + UUID.randomUUID();
    return CompletableFuture.supplyAsync(() -> request(client, nonce), Thread.ofVirtual()::start)
        .thenCompose(request -> client.getHttpClient().sendAsync(request, String.class))
        .orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .thenApply(response -> judge.apply(nonce, response))
        .exceptionally(
            failure ->
                "the API server does not respond: "
                    + Objects.requireNonNullElse(failure.getCause(), failure));
  }

  private static HttpRequest request(KubernetesClient client, String nonce) {
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
        .timeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS)
        .build();
  }

  /** Why the API server did not call the webhook; empty if it did. */
  private static String problem(String nonce, HttpResponse<String> response) {
    if (response.headers("Warning").stream().anyMatch(warning -> warning.contains(nonce))) {
      return "";
    }
    return switch (response.code()) {
      case HttpURLConnection.HTTP_NOT_FOUND ->
          "the CustomResourceDefinition knowninvalidconfigurations.shipshape.dev is missing, which"
              + " the test request to the webhook needs";
      case HttpURLConnection.HTTP_CREATED ->
          "the API server does not reach the webhook by %s of the ValidatingWebhookConfiguration: see the replicas' logs, which name a certificate that has expired, the API server's log and its metric apiserver_admission_webhook_rejection_count, and the path from the API server to the pods' port (routes, firewalls, NetworkPolicies, the Service, the certificate)"
              .formatted(ENTRY);
      case TOO_MANY_REQUESTS -> THROTTLED;
      default -> answer(response);
    };
  }

  private static String answer(HttpResponse<String> response) {
    return "the API server responds %d: %s"
        .formatted(response.code(), ApiConnection.statusMessage(response.body()));
  }

  synchronized void done(String tried, String found) {
    isPending = false;
    if (isSuccessful && found.equals(THROTTLED)) {
      nextRequest = System.nanoTime() + AFTER_FAILURE.toNanos();
    } else if (tried.equals(bundle)) {
      failures = found.isEmpty() ? 0 : failures + 1;
      inARow = found.isEmpty() ? inARow + 1 : 0;
      if (found.isEmpty() || !isSuccessful || failures >= MAX_FAILURES) {
        problem = found;
        isSuccessful = found.isEmpty();
      }
      var pause =
          !found.isEmpty() ? AFTER_FAILURE : inARow < SETTLED_SUCCESSES ? SHORT_PAUSE : interval;
      nextRequest = System.nanoTime() + pause.toNanos();
    }
  }

  /** Why writes must not depend on the replicas that this bundle trusts; empty if they may. */
  synchronized Optional<String> objection(String trusted) {
    return trusted.equals(bundle) && isSuccessful
        ? Optional.empty()
        : Optional.of(
            explain(
                trusted.equals(bundle) && !problem.isEmpty()
                    ? problem
                    : "the API server has not called the webhook yet"));
  }

  /** Why the last requests failed; empty if they succeeded. */
  synchronized Optional<String> problem() {
    return problem.isEmpty() ? Optional.empty() : Optional.of(explain(problem));
  }

  /** With such a certificate, the path to the webhook may well be good. */
  private String explain(String found) {
    return certificateProblem.get().map(own -> own + "; " + found).orElse(found);
  }

  /** Whether all replicas serve a certificate that this bundle trusts. */
  synchronized boolean isSettled(String trusted) {
    return trusted.equals(bundle) && inARow >= SETTLED_SUCCESSES;
  }

  synchronized boolean isSuccessful() {
    return isSuccessful;
  }
}
