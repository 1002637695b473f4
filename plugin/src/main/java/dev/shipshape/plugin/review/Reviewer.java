package dev.shipshape.plugin.review;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.audit.Text;
import dev.shipshape.plugin.review.ObjectReview.Equal;
import dev.shipshape.plugin.review.ObjectReview.Verdict;
import dev.shipshape.webhook.OfflineWebhook;
import dev.shipshape.webhook.OfflineWebhook.Judgement;
import dev.shipshape.webhook.admission.Refused;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.known.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Asks the webhook's code how it would respond to objects before they are applied.
 *
 * @param webhook with all known-invalid configurations
 * @param stored returns the cluster's object of the same name; empty if there is none
 */
public record Reviewer(
    GuardedKinds kinds,
    OfflineWebhook webhook,
    BiFunction<Guard, ManifestObject, Optional<JsonNode>> stored) {
  /** kubectl's: of objects without one. */
  public static final String DEFAULT_NAMESPACE = "default";

  private static final String ADMISSION_REVIEW = "AdmissionReview";

  public Review review(List<String> files, List<Problem> before) {
    // File by file, because the text of all together is large.
    var reviews = files.parallelStream().map(this::review).toList();
    return new Review(
        reviews.stream().flatMap(each -> each.objects().stream()).toList(),
        reviews.stream().mapToInt(Review::unguarded).sum(),
        Stream.concat(before.stream(), reviews.stream().flatMap(each -> each.problems().stream()))
            .toList());
  }

  private Review review(String file) {
    var objects = new ArrayList<ObjectReview>();
    var problems = new ArrayList<Problem>();
    var unguarded = new int[1];
    ManifestReader.read(
        file,
        kind -> kind.equals(ADMISSION_REVIEW) || kinds.isGuarded(kind),
        kinds.inVersion(
            object -> {
              try {
                review(object).ifPresentOrElse(objects::add, () -> unguarded[0]++);
              } catch (Refused e) {
                problems.add(object.problem(e.message()));
              }
            },
            problems::add),
        problems::add);
    if (file.equals("-") && objects.isEmpty() && unguarded[0] == 0 && problems.isEmpty()) {
      // As of a pipe whose first command has failed.
      problems.add(new Problem(file, 1, "has no object"));
    }
    return new Review(objects, unguarded[0], problems);
  }

  private Optional<ObjectReview> review(ManifestObject object) {
    if (object.text("/kind").equals(ADMISSION_REVIEW)) {
      var written = object.within("/request/object");
      var guard = written.flatMap(kinds::of);
      return guard.isEmpty()
          ? Optional.empty()
          : Optional.of(
              reviewOf(guard.get(), written.get(), AdmissionReviews.judge(webhook, object.json())));
    }
    var guard = kinds.of(object);
    if (guard.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(reviewOf(guard.get(), object, judge(guard.get(), object)));
  }

  private Judgement judge(Guard guard, ManifestObject object) {
    var created =
        AdmissionReviews.judge(
            webhook, AdmissionReviews.of(guard, object.json(), "CREATE", DEFAULT_NAMESPACE));
    if (!created.decision().reason().rejects()) {
      return created;
    }
    // An update that leaves a stored configuration unchanged is admitted.
    var before = stored.apply(guard, object);
    if (before.isEmpty()) {
      return created;
    }
    var update = AdmissionReviews.of(guard, object.json(), "UPDATE", DEFAULT_NAMESPACE);
    update.withObject("/request").set("oldObject", before.get());
    return AdmissionReviews.judge(webhook, update);
  }

  private ObjectReview reviewOf(Guard guard, ManifestObject object, Judgement judgement) {
    var decision = judgement.decision();
    var message = decision.message();
    var verdict =
        decision.reason().rejects()
            ? Verdict.REFUSED
            : message.isEmpty() ? Verdict.ADMITTED : Verdict.WARNED;
    var needsAttention = verdict != Verdict.ADMITTED;
    var evidence = needsAttention ? webhook.evidence(judgement.request()) : List.<Evidence>of();
    var field = evidence.isEmpty() ? "" : guard.identity().content();
    return new ObjectReview(
        object.file(),
        object.source(),
        object.line(),
        object.name(),
        needsAttention ? guard.identity().hash(judgement.request().object()).toString() : "",
        verdict,
        decision.reason().auditLabel(),
        Text.printableLine(message),
        Text.printableLine(field),
        object.line(field),
        evidence.stream().map(Equal::of).toList());
  }
}
