package dev.shipshape.audit;

import static java.net.HttpURLConnection.HTTP_FORBIDDEN;
import static java.net.HttpURLConnection.HTTP_UNAUTHORIZED;

import com.github.difflib.DiffUtils;
import com.github.difflib.algorithm.DiffAlgorithmListener;
import com.github.difflib.algorithm.myers.MyersDiff;
import com.github.difflib.patch.DeltaType;
import com.github.difflib.patch.Patch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Shows where two runs differ: which actor sends another request, gets another code, or writes
 * another value. It compares each actor's requests in their order, because the order among actors
 * differs each time.
 */
public final class RunComparison {
  /** Both runs are in memory. */
  private static final int MAX_STEPS = 200_000;

  /** The time grows with the square of one actor's differences. */
  private static final int MAX_DIFFERENCES = 20_000;

  /** Resources that are written all the time, in any run. */
  private static final Set<String> NOISE = Set.of("leases", "events");

  private RunComparison() {}

  /**
   * One difference.
   *
   * @param what verb and object
   * @param difference how the runs differ
   * @param follows the actor's request before it, equal in both runs; empty if there is none
   * @param before the request of the first run, if it has one
   * @param afterwards the request of the second run, if it has one
   * @param seconds since the run's first request
   */
  public record Difference(
      String actor,
      String what,
      String difference,
      String follows,
      @Nullable AuditEvent before,
      @Nullable AuditEvent afterwards,
      double seconds) {}

  /**
   * What was found.
   *
   * @param comparedNothing whether no request could be compared
   * @param withoutBody writes whose bodies are not in the log, so that they could not be compared
   * @param taken names of the first run, by those of the second one that were taken for them
   */
  public record Result(
      List<Difference> differences,
      Map<String, String> taken,
      boolean comparedNothing,
      int withoutBody,
      ReadReport before,
      ReadReport after) {}

  /**
   * Compares two runs.
   *
   * @param same names of the first run, by those of the second one; more are found
   * @throws IOException if a log cannot be read, a run is too long to be held in memory, or the
   *     requests of an actor differ too much
   */
  public static Result of(
      Chronology.Logs before, Chronology.Logs after, EventFilter filter, Map<String, String> same)
      throws IOException {
    var first = Run.read(before, filter);
    var read = Run.read(after, filter);
    var taken = Renaming.pairs(first.names(), read.names());
    taken.putAll(Renaming.pairs(first.namespaces(), read.namespaces()));
    taken.keySet().removeAll(same.keySet());
    var names = new LinkedHashMap<>(taken);
    names.putAll(same);
    var renaming = new Renaming(names);
    var second = read.renamed(renaming);
    var differences = new ArrayList<Difference>();
    var actors = new TreeSet<>(first.byActor().keySet());
    actors.addAll(second.byActor().keySet());
    for (var actor : actors) {
      compare(
          actor,
          first.byActor().getOrDefault(actor, List.of()),
          second.byActor().getOrDefault(actor, List.of()),
          first.start(),
          second.start(),
          differences);
    }
    differences.sort(Comparator.comparingDouble(Difference::seconds));
    return new Result(
        differences,
        taken,
        actors.isEmpty(),
        first.withoutBody() + second.withoutBody(),
        first.report(),
        second.report());
  }

  /**
   * @param namespaces the requests in each
   * @param names the requests to the objects of each name
   */
  private record Run(
      Map<String, List<Step>> byActor,
      Map<String, Set<String>> namespaces,
      Map<String, Set<String>> names,
      long start,
      int withoutBody,
      ReadReport report) {
    Run renamed(Renaming renaming) {
      var renamed = new LinkedHashMap<String, List<Step>>();
      byActor.forEach(
          (actor, steps) ->
              renamed
                  .computeIfAbsent(renaming.of(actor), _ -> new ArrayList<>())
                  .addAll(steps.stream().map(step -> step.renamed(renaming)).toList()));
      return new Run(renamed, namespaces, names, start, withoutBody, report);
    }

    static Run read(Chronology.Logs logs, EventFilter filter) throws IOException {
      try (var chronology = Chronology.read(logs, filter, RawEvent.Detail.BODIES)) {
        var byActor = new LinkedHashMap<String, List<Step>>();
        var namespaces = new LinkedHashMap<String, Set<String>>();
        var names = new LinkedHashMap<String, Set<String>>();
        var start = Long.MAX_VALUE;
        var count = 0;
        var withoutBody = 0;
        var requests = chronology.requests();
        for (var logged = requests.next(); logged != null; logged = requests.next()) {
          var event = logged.event();
          if (isCompared(event, chronology.latest)) {
            start = Math.min(start, event.received());
            var step = Step.of(logged);
            var steps = byActor.computeIfAbsent(step.actor(), _ -> new ArrayList<>());
            // How often an actor polls depends on timing.
            if (steps.isEmpty() || event.mutates() || !steps.getLast().what().equals(step.what())) {
              steps.add(step);
              count++;
              withoutBody += isWithoutBody(logged) ? 1 : 0;
              var object = event.object();
              var does = event.verb() + " " + object.groupResource();
              done(namespaces, object.namespace(), does + " " + Step.lasting(object.name()));
              done(names, Step.lasting(object.name()), does);
            }
          }
          if (count > MAX_STEPS) {
            throw new IOException(
                "%s has more than %d requests to compare: narrow it with --from, --to, --object or --actor"
                    .formatted(logs.logs(), MAX_STEPS));
          }
        }
        return new Run(byActor, namespaces, names, start, withoutBody, chronology.report());
      }
    }

    private static boolean isWithoutBody(LoggedRequest logged) {
      return logged.request() == null
          && switch (logged.event().verb()) {
            case "create", "update", "patch" -> logged.event().mutates();
            default -> logged.event().mutates() && logged.event().code() == 0;
          };
    }

    private static void done(Map<String, Set<String>> names, String name, String what) {
      if (!name.isEmpty()) {
        names.computeIfAbsent(name, _ -> new HashSet<>()).add(what);
      }
    }

    /** Of Kubernetes' own requests, only changes: its reads depend on its caches. */
    private static boolean isCompared(AuditEvent event, long latest) {
      return !NOISE.contains(event.object().resource())
          && !event.object().isReview()
          && event.isShort()
          && (event.code() > 0 || event.isUnanswered(latest))
          && (event.mutates()
              || !(event.actor().startsWith("system:kube-")
                  || event.actor().startsWith("system:serviceaccount:kube-system:")
                  || event.actor().equals("system:apiserver")));
    }
  }

  /** Ends the comparison of an actor whose requests differ too much. */
  private record Limit(String actor) implements DiffAlgorithmListener {
    @Override
    public void diffStart() {}

    @Override
    public void diffStep(int differences, int max) {
      if (differences > MAX_DIFFERENCES) {
        throw new UncheckedIOException(
            new IOException(
                "the requests of %s differ in more than %d: narrow it with --from, --to or --object"
                    .formatted(actor, MAX_DIFFERENCES)));
      }
    }

    @Override
    public void diffEnd() {}
  }

  private static void compare(
      String actor,
      List<Step> before,
      List<Step> after,
      long beforeStart,
      long afterStart,
      List<Difference> differences)
      throws IOException {
    if (before.isEmpty() || after.isEmpty()) {
      addUnpaired(before, after, "", beforeStart, afterStart, differences);
      return;
    }
    Patch<String> patch;
    try {
      patch =
          DiffUtils.diff(words(before), words(after), new MyersDiff<>(), new Limit(actor), true);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (var delta : patch.getDeltas()) {
      var first = delta.getSource().getPosition();
      var other = delta.getTarget().getPosition();
      var mine = before.subList(first, first + delta.getSource().size());
      var theirs = after.subList(other, other + delta.getTarget().size());
      if (delta.getType() == DeltaType.EQUAL) {
        for (var i = 0; i < mine.size(); i++) {
          pair(before, first + i, theirs.get(i), afterStart, differences);
        }
      } else {
        var follows = first == 0 ? "" : before.get(first - 1).what();
        addUnpaired(mine, theirs, follows, beforeStart, afterStart, differences);
      }
    }
  }

  private static void addUnpaired(
      List<Step> before,
      List<Step> after,
      String follows,
      long beforeStart,
      long afterStart,
      List<Difference> differences) {
    before.forEach(
        step ->
            differences.add(difference(step, beforeStart, "only in BEFORE", follows, step, null)));
    after.forEach(
        step ->
            differences.add(difference(step, afterStart, "only in AFTER", follows, null, step)));
  }

  private static List<String> words(List<Step> steps) {
    return steps.stream().map(Step::what).toList();
  }

  private static void pair(
      List<Step> before, int index, Step after, long start, List<Difference> differences) {
    var step = before.get(index);
    var follows = index == 0 ? "" : before.get(index - 1).what();
    var what = new ArrayList<String>();
    if (step.event().code() != after.event().code()
        && (step.event().mutates() || isDenied(step) || isDenied(after))) {
      what.add("code %d -> %d".formatted(step.event().code(), after.event().code()));
    }
    ObjectFields.changes(step.fields(), after.fields())
        .forEach(change -> what.add("request " + change));
    what.forEach(each -> differences.add(difference(after, start, each, follows, step, after)));
  }

  /** Other codes of reads, such as 404, depend on timing. */
  private static boolean isDenied(Step step) {
    return step.event().code() == HTTP_UNAUTHORIZED || step.event().code() == HTTP_FORBIDDEN;
  }

  private static Difference difference(
      Step step,
      long start,
      String difference,
      String follows,
      @Nullable Step before,
      @Nullable Step after) {
    return new Difference(
        step.actor(),
        step.what(),
        difference,
        follows,
        before == null ? null : before.event(),
        after == null ? null : after.event(),
        (step.event().received() - start) / 1e6);
  }
}
