package dev.shipshape.plugin.review;

import java.util.List;

/**
 * The result of a review.
 *
 * @param objects of guarded kinds, by file and line
 * @param unguarded how many objects of other kinds there were
 * @param problems what could not be read or judged, and notes
 */
public record Review(List<ObjectReview> objects, int unguarded, List<Problem> problems) {
  public Review {
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }

  public long count(ObjectReview.Verdict verdict) {
    return objects.stream().filter(each -> each.verdict() == verdict).count();
  }

  List<ObjectReview> findings() {
    return objects.stream().filter(ObjectReview::needsAttention).toList();
  }

  /** Returns what could not be read or judged, and may be guarded. */
  public List<Problem> unreadable() {
    return problems.stream().filter(each -> !each.note()).toList();
  }

  public String summary() {
    return "%d reviewed: %d refused, %d warned of, %d admitted; %d objects of other kinds%s"
        .formatted(
            objects.size(),
            count(ObjectReview.Verdict.REFUSED),
            count(ObjectReview.Verdict.WARNED),
            count(ObjectReview.Verdict.ADMITTED),
            unguarded,
            unreadable().isEmpty() ? "" : "; %d not readable".formatted(unreadable().size()));
  }
}
