package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.failsafe.Failsafe;
import dev.failsafe.RetryPolicy;
import dev.shipshape.plugin.release.CheckResult.Level;
import dev.shipshape.service.ApiConnection;
import dev.shipshape.service.ApiErrors;
import dev.shipshape.webhook.arming.Proof;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MatchCondition;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhook;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tests a guard through the API server: by a dry-run create of a configuration that the webhook
 * always holds as known invalid. Nothing is stored.
 *
 * @param configuration the name of the ValidatingWebhookConfiguration
 */
public record SelfTest(KubernetesClient client, String configuration) {
  /** The time that a webhook needs to register itself, and an API server to notice. */
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private static final Duration INTERVAL = Duration.ofMillis(500);

  /** A Warning header by RFC 9110: {@code 299 - "text"}. */
  private static final Pattern WARNING = Pattern.compile("299 \\S+ \"((?:[^\"\\\\]|\\\\.)*)\"");

  private static final String UNWARNED =
      " without a warning: is there a firewall or NetworkPolicy between the API server and the"
          + " webhook's pods?";

  /** Match conditions of every guard, which do not exclude the test's object. */
  private static final Set<String> OWN_CONDITIONS =
      Set.of("changes-the-configuration", "no-override");

  /**
   * Repeats the test until nothing is wrong, or until the time limit.
   *
   * @throws KubernetesClientException if a right is missing, or if the API server does not respond
   *     even then
   */
  public List<CheckResult> await() {
    return Failsafe.with(
            RetryPolicy.<List<CheckResult>>builder()
                .handleIf(
                    failure ->
                        failure instanceof KubernetesClientException e
                            && e.getCode() != HttpURLConnection.HTTP_UNAUTHORIZED
                            && e.getCode() != HttpURLConnection.HTTP_FORBIDDEN)
                .handleResultIf(all -> all.stream().anyMatch(each -> each.level() == Level.WRONG))
                .withMaxRetries(-1)
                .withDelay(INTERVAL)
                .withMaxDuration(LIMIT)
                .build())
        .get(this::run);
  }

  /**
   * Tests every registered preset.
   *
   * @throws KubernetesClientException if the API server does not respond
   */
  public List<CheckResult> run() {
    var found =
        client.resources(ValidatingWebhookConfiguration.class).withName(configuration).get();
    if (found == null) {
      return List.of(
          new CheckResult(
              Level.WRONG,
              "there is no ValidatingWebhookConfiguration " + configuration + " to try"));
    }
    var registered = WebhookConfiguration.of(found);
    var results = new ArrayList<CheckResult>();
    for (var preset : GuardReader.PRESETS) {
      for (var guard : GuardReader.preset(preset)) {
        var resource = guard.resource();
        var webhook = registered.webhookFor(resource);
        if (guard.probe() != null && webhook.isPresent()) {
          var labels = labels(webhook.get().getObjectSelector());
          var object = labelled(guard.probe().object(), labels);
          results.add(attempt(guard, object, webhook.get()));
        }
      }
    }
    if (results.isEmpty()) {
      results.add(
          new CheckResult(
              guardsNothing(found) ? Level.WRONG : Level.GOOD,
              configuration
                  + " is for none of the presets' resources, so there is nothing that can be"
                  + " tried"));
    }
    return results;
  }

  private static boolean guardsNothing(ValidatingWebhookConfiguration found) {
    return found.getWebhooks().stream().allMatch(each -> each.getName().equals(Proof.ENTRY));
  }

  /** Returns labels that match the guard's selector, if it has one. */
  private static Map<String, String> labels(@Nullable LabelSelector selector) {
    var labels = new TreeMap<String, String>();
    if (selector != null) {
      labels.putAll(selector.getMatchLabels());
      for (var expression : selector.getMatchExpressions()) {
        switch (expression.getOperator()) {
          case "In" -> labels.putIfAbsent(expression.getKey(), expression.getValues().getFirst());
          case "Exists" -> labels.putIfAbsent(expression.getKey(), "shipshape-probe");
          default -> {} // An object without the label is selected by the others.
        }
      }
    }
    return labels;
  }

  /** Labels do not change the identity. */
  private static JsonNode labelled(JsonNode object, Map<String, String> labels) {
    ObjectNode labelled = object.deepCopy();
    var metadata = labelled.withObjectProperty("metadata");
    labels.forEach(metadata.withObjectProperty("labels")::put);
    return labelled;
  }

  private CheckResult attempt(Guard guard, JsonNode object, ValidatingWebhook webhook) {
    var resource = guard.resource();
    var response = post(resource.path() + "?dryRun=All", object);
    var attempted = "dry-run create of %s shipshape-probe".formatted(resource);
    if (response.code() == HttpURLConnection.HTTP_NOT_FOUND
        && !ReleaseObjects.serves(client, resource)) {
      return new CheckResult(
          Level.NOTE,
          attempted
              + (ReleaseObjects.servesAnyVersion(client, resource)
                  ? ": the API server serves it in other versions only"
                  : ": the cluster does not have this resource, so nothing is guarded: name your"
                      + " operator's preset in guard.presets"));
    }
    var isArmed = WebhookConfiguration.isArmed(webhook);
    // A conflict also proves it: the object existed before, and the webhook is called first.
    var isAllowed = response.isSuccessful() || response.code() == HttpURLConnection.HTTP_CONFLICT;
    var answer = isAllowed ? warnings(response) : ApiConnection.statusMessage(response.body());
    if (isAllowed != isArmed && answer.contains("known invalid")) {
      var was = isArmed ? "refused" : "warned of, as the guard is not armed";
      return new CheckResult(Level.GOOD, "%s was %s: %s".formatted(attempted, was, answer));
    }
    var exempting = isAllowed ? exempting(webhook) : List.<String>of();
    if (!exempting.isEmpty()) {
      return new CheckResult(
          Level.NOTE,
          "%s was admitted, which proves nothing: guard.recovery or guard.matchConditions may exclude it (%s): try as another user"
              .formatted(attempted, String.join(", ", exempting)));
    }
    return new CheckResult(
        Level.WRONG,
        "%s was not %s by the guard: %s"
            .formatted(
                attempted,
                isArmed ? "refused" : "noticed",
                isAllowed
                    ? "it was let through" + (isArmed ? "" : UNWARNED)
                    : response.code() + " " + answer));
  }

  /** Sends a request whose warnings are wanted, which fabric8's resource API does not give. */
  private HttpResponse<String> post(String path, JsonNode object) {
    var http = client.getHttpClient();
    var request =
        http.newHttpRequestBuilder()
            .uri(client.getMasterUrl() + path.substring(1))
            .post("application/json", object.toString())
            .build();
    var response = http.sendAsync(request, String.class);
    try {
      return response.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException | ExecutionException e) {
      response.cancel(true);
      throw new KubernetesClientException("POST " + path + ": " + ApiErrors.UNANSWERED, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KubernetesClientException("POST " + path + " was interrupted", e);
    }
  }

  /** Returns the match conditions that may exclude this user's writes. */
  private List<String> exempting(ValidatingWebhook webhook) {
    var user = client.resource(new SelfSubjectReview()).create().getStatus().getUserInfo();
    var names = new ArrayList<>(user.getGroups());
    names.add(user.getUsername());
    return webhook.getMatchConditions().stream()
        .filter(condition -> !OWN_CONDITIONS.contains(condition.getName()))
        .filter(
            condition ->
                !condition.getName().startsWith("no-recovery-")
                    || names.stream()
                        .anyMatch(name -> condition.getExpression().contains('"' + name + '"')))
        .map(MatchCondition::getName)
        .toList();
  }

  private static String warnings(HttpResponse<String> response) {
    return response.headers("Warning").stream()
        .flatMap(header -> WARNING.matcher(header).results())
        .map((MatchResult text) -> text.group(1).replaceAll("\\\\(.)", "$1"))
        .collect(Collectors.joining("; "));
  }
}
