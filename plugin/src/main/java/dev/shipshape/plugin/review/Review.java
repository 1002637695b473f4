package dev.shipshape.plugin.review;

import java.util.List;

/**
 * What came of a review.
 *
 * @param objects of guarded kinds, in the order of files and lines
 * @param unguarded how many objects of other kinds there were
 * @param problems what could not be read or judged, and notes of that in what no guard is for
 */
public record Review(List<ObjectReview> objects, int unguarded, List<Problem> problems) {
  public Review {
    objects = List.copyOf(objects);
    problems = List.copyOf(problems);
  }

  /** How many objects have this verdict. */
  public long count(ObjectReview.Verdict verdict) {
    return objects.stream().filter(each -> each.verdict() == verdict).count();
  }

  /** The objects that there is anything to tell of. */
  public List<ObjectReview> findings() {
    return objects.stream().filter(ObjectReview::isFinding).toList();
  }

  /** What could not be read or judged, and may be guarded. */
  public List<Problem> unreadable() {
    return problems.stream().filter(each -> !each.isNote()).toList();
  }

  /** All of it in one line. */
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
