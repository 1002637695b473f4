package dev.shipshape.plugin.release;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.kubernetes.Answer;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import dev.shipshape.janitor.kubernetes.KubernetesApi;
import dev.shipshape.plugin.release.Preflight.Weight;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.GuardReader;
import dev.shipshape.webhook.config.GuardedResource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Tries the guard through the API server itself: a dry-run create of a configuration that the
 * webhook always holds as known invalid. Nothing is written.
 */
public final class Probe {
  private static final String VALIDATING =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/";

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration PACE = Duration.ofMillis(500);

  /** A try that nobody noticed need not be the guard's fault, as far as is known here. */
  private static final String PERHAPS =
      " (are you among those that guard.exempt or guard.recovery name, or do guard.matchConditions"
          + " leave out this object?)";

  private final KubernetesApi api;
  private final String configuration;
  private final Optional<String> leftOut;

  /**
   * Of one installation of which only this is known.
   *
   * @param configuration the name of its ValidatingWebhookConfiguration
   */
  public Probe(KubernetesApi api, String configuration) {
    this(api, configuration, Optional.empty());
  }

  /**
   * Of one installation.
   *
   * @param leftOut why the guard may let a try through that it should notice otherwise
   */
  Probe(KubernetesApi api, String configuration, Optional<String> leftOut) {
    this.api = api;
    this.configuration = configuration;
    this.leftOut = leftOut;
  }

  /**
   * What came of one try.
   *
   * @param weight a note where the guard cannot be tried so
   * @param text what was tried, and what the API server said
   */
  public record Finding(Weight weight, String text) {
    private Finding(boolean good, String text) {
      this(good ? Weight.GOOD : Weight.WRONG, text);
    }

    /** Whether it is as it should be. */
    public boolean good() {
      return weight == Weight.GOOD;
    }
  }

  /**
   * Tries until all is well, but no longer than a webhook may take to register itself, and an API
   * server to know of it.
   *
   * @throws ApiFailure where the API server cannot be asked
   */
  public List<Finding> await() {
    var end = System.nanoTime() + PATIENCE.toNanos();
    var findings = tried();
    while (findings.stream().anyMatch(finding -> finding.weight() == Weight.WRONG)
        && System.nanoTime() < end
        && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(PACE.toNanos());
      findings = tried();
    }
    return findings;
  }

  private List<Finding> tried() {
    try {
      return run();
    } catch (ApiFailure e) {
      return List.of(new Finding(false, "the API server cannot be asked: " + e.getMessage()));
    }
  }

  /**
   * Tries every preset that the installation is registered for.
   *
   * @throws ApiFailure where the API server cannot be asked
   */
  public List<Finding> run() {
    var found = api.find(VALIDATING + configuration).map(WebhookConfiguration::of);
    if (found.isEmpty()) {
      return List.of(
          new Finding(
              false, "there is no ValidatingWebhookConfiguration " + configuration + " to try"));
    }
    var registered = found.get();
    var findings = new ArrayList<Finding>();
    for (var preset : GuardReader.PRESETS) {
      for (var guard : GuardReader.preset(preset)) {
        var probe = guard.probe();
        var resource = guard.resource();
        var entry = registered.entryFor(resource.group(), resource.plural());
        if (probe != null && entry.isPresent()) {
          findings.add(
              ObjectSelector.of(entry.get().path("objectSelector"))
                  .labels()
                  .map(labels -> labelled(probe.object(), labels))
                  .map(object -> attempt(guard, object, WebhookConfiguration.isArmed(entry.get())))
                  .orElseGet(() -> unselectable(resource)));
        }
      }
    }
    if (findings.isEmpty()) {
      findings.add(
          new Finding(
              true,
              configuration
                  + " is for none of the presets' resources, so there is nothing that can be"
                  + " tried"));
    }
    return findings;
  }

  /** Labels are no part of what is known invalid, but the guard may be for some objects only. */
  private static JsonNode labelled(JsonNode object, Map<String, String> labels) {
    ObjectNode labelled = object.deepCopy();
    var metadata = labelled.withObjectProperty("metadata");
    labels.forEach(metadata.withObjectProperty("labels")::put);
    return labelled;
  }

  private Finding unselectable(GuardedResource resource) {
    return new Finding(
        false,
        "%s cannot be tried: the objectSelector of %s (guard.objectSelector) selects no object at"
                .formatted(resource, configuration)
            + " all, so nothing is guarded");
  }

  private Finding attempt(Guard guard, JsonNode object, boolean armed) {
    var resource = guard.resource();
    var answer = api.post(resource.path() + "?dryRun=All", object);
    var tried = "dry-run create of %s shipshape-probe".formatted(resource);
    if (answer.code() == 404) {
      return new Finding(true, tried + ": the cluster does not have this resource yet");
    }
    var finding = armed ? refused(tried, answer) : warned(tried, answer);
    return finding.good() || !isLetThrough(answer)
        ? finding
        : leftOut
            .map(
                reason ->
                    new Finding(
                        Weight.NOTE,
                        tried + " was let through, which says nothing of the guard: " + reason))
            .orElse(finding);
  }

  /** One that somebody wrote in audit mode is there already, found out after the webhook. */
  private static boolean isLetThrough(Answer answer) {
    return answer.isSuccessful() || answer.code() == 409;
  }

  private static Finding refused(String tried, Answer answer) {
    var refused = answer.code() == 403 && answer.message().contains("known invalid");
    return new Finding(
        refused,
        "%s was %s: %s"
            .formatted(
                tried,
                refused ? "refused" : "not refused by the guard (%d)".formatted(answer.code()),
                answer.isSuccessful() ? "it was let through" + PERHAPS : answer.message()));
  }

  private static Finding warned(String tried, Answer answer) {
    var warning =
        answer.warnings().stream().filter(each -> each.contains("known invalid")).findFirst();
    var warned = isLetThrough(answer) && warning.isPresent();
    return new Finding(
        warned,
        "%s was %s: %s"
            .formatted(
                tried,
                warned ? "warned of, as the guard is not armed" : "not noticed by the guard",
                warning.orElseGet(
                    () ->
                        answer.isSuccessful()
                            ? "it was let through without a warning" + PERHAPS
                            : answer.message())));
  }
}
