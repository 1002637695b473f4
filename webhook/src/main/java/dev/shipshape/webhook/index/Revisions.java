package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.RevisionLink;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.known.IndexedObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Confirms or rejects what revisions report, by the reports of the nodes' objects that were
 * generated from each revision.
 *
 * <p>An operator sums up the status of the nodes' objects when it reconciles, and agents report
 * later. So a revision may report "invalid" because of the failure of its predecessor. A revision's
 * status counts only if the nodes' objects confirm it:
 *
 * <ul>
 *   <li>"invalid" counts if a node's object of this revision reports "invalid" for its own content.
 *       It also counts if no node's object has reported "invalid" at all, and one was being
 *       provisioned at that time on a node that was ready: a node that is cut off cannot report.
 *       Otherwise the revision is suspected, until all nodes' objects have this revision and one of
 *       them reports success later.
 *   <li>"provisioned" counts if all nodes' objects have this revision and report success; nodes
 *       that are not ready are ignored.
 * </ul>
 */
public final class Revisions {
  /** Limits the values, also those without a revision: the one that was seen first is removed. */
  private static final int MAX_VALUES = 10_000;

  /** A changed verdict about a revision. */
  record ChangedVerdict(Guard guard, IndexedObject object) {}

  /**
   * @param reported what its own status reports
   * @param verdict the verdict about that report
   * @param order when the report was first seen, as a sequence number
   */
  private record Revision(String value, IndexedObject reported, IndexedObject verdict, long order) {
    boolean isInvalid() {
      return reported.status() == ConfigStatus.INVALID;
    }

    Revision withVerdict(IndexedObject other) {
      return new Revision(value, reported, other, order);
    }
  }

  private enum NodeStatus {
    INVALID,
    /** "Invalid", but for the previous content. */
    OUTDATED,
    PROVISIONING,
    PROVISIONED,
    NOTHING
  }

  /**
   * The last report of a node's object about a revision.
   *
   * @param written when the status was written, by its managed fields
   * @param order when it was seen, as a sequence number
   * @param wasOutdated whether it ever was {@code OUTDATED} while it had this revision
   */
  private record Report(
      IndexedObject object, NodeStatus status, long written, long order, boolean wasOutdated) {
    boolean is(NodeStatus what) {
      return status == what;
    }

    /** Whether it may confirm that a revision failed, also once the object has another. */
    boolean isFailure() {
      return wasOutdated || is(NodeStatus.INVALID) || is(NodeStatus.PROVISIONING);
    }

    boolean isAfter(Revision revision) {
      var verdict = revision.reported().writtenAt();
      return written > verdict || (written == verdict && order > revision.order());
    }
  }

  /** The state of the revisions of one guard. */
  private static final class GuardState {
    private final Guard guard;
    private final RevisionLink link;

    /** The guard of the nodes' objects. */
    private final Guard nodes;

    private final Map<String, Revision> revisions = new HashMap<>();

    /** By the value of the link field, then by the key of the node's object. */
    private final SequencedMap<String, Map<String, Report>> reports = new LinkedHashMap<>();

    /** The current value of the link field of each node's object. */
    private final Map<String, String> values = new HashMap<>();

    private long seen;

    GuardState(Guard guard, RevisionLink link, Guard nodes) {
      this.guard = guard;
      this.link = link;
      this.nodes = nodes;
    }

    /** By the key of the node's object. Objects without the field are of no revision. */
    Map<String, Report> reports(Revision revision) {
      return revision.value().isEmpty()
          ? Map.of()
          : reports.getOrDefault(revision.value(), Map.of());
    }

    void removeUnlessFailure(String value, String key) {
      reports.computeIfPresent(
          value,
          (_, left) -> {
            left.computeIfPresent(key, (_, report) -> report.isFailure() ? report : null);
            return left.isEmpty() ? null : left;
          });
    }
  }

  /** By the name of the revisions' guard. */
  private final Map<String, GuardState> states = new HashMap<>();

  private final Function<String, Optional<Instant>> readySince;
  private final Predicate<Guard> isListed;

  /** Takes since when the node of a name is ready; empty if it is not or not known. */
  public Revisions(
      Collection<Guard> guards,
      Function<String, Optional<Instant>> readySince,
      Predicate<Guard> isListed) {
    this.readySince = readySince;
    this.isListed = isListed;
    for (var nodes : guards) {
      var link = nodes.revisions();
      if (link != null) {
        guards.stream()
            .filter(guard -> guard.name().equals(link.guard()))
            .forEach(guard -> states.put(guard.name(), new GuardState(guard, link, nodes)));
      }
    }
  }

  /** The state of the revisions of this guard's objects; null if there are none. */
  private @Nullable GuardState stateOfNodes(Guard guard) {
    var link = guard.revisions();
    return link == null ? null : states.get(link.guard());
  }

  /** Returns the last report of a revision; null if it is not a known revision. */
  @Nullable IndexedObject lastReported(Guard guard, String key) {
    var state = states.get(guard.name());
    var revision = state == null ? null : state.revisions.get(key);
    return revision == null ? null : revision.reported();
  }

  /** Returns the entry with its verdict; the entry itself if the object is no revision. */
  IndexedObject judge(Guard guard, JsonNode object, IndexedObject reported) {
    var state = states.get(guard.name());
    if (state == null) {
      return reported;
    }
    var before = state.revisions.get(reported.key());
    var isSame =
        before != null
            && before.reported().status() == reported.status()
            && before.reported().isStatusCurrent() == reported.isStatusCurrent()
            && before.reported().hash().equals(reported.hash());
    var revision =
        new Revision(
            state.link.of(object),
            reported,
            before != null && isSame ? withVerdict(reported, before.verdict()) : reported,
            before != null && isSame ? before.order() : ++state.seen);
    var verdict = verdict(state, revision, !isSame);
    state.revisions.put(reported.key(), revision.withVerdict(verdict));
    return verdict;
  }

  /** The object may have changed since, such as its hash annotation. */
  private static IndexedObject withVerdict(IndexedObject reported, IndexedObject verdict) {
    return reported.withVerdict(verdict.status(), verdict.writtenAt(), verdict.details());
  }

  /** Computes the verdict from the reports. */
  private IndexedObject verdict(GuardState state, Revision revision, boolean isNews) {
    var reported = revision.reported();
    return switch (reported.status()) {
      case INVALID -> invalidVerdict(state, revision, isNews);
      case PROVISIONED ->
          isContradicted(state, revision)
              ? reported.withVerdict(
                  ConfigStatus.UNDECIDED, reported.writtenAt(), FailureDetails.NONE)
              : reported;
      case UNDECIDED, SUSPECTED -> reported;
    };
  }

  private IndexedObject invalidVerdict(GuardState state, Revision revision, boolean isNews) {
    var reported = revision.reported();
    if (!reported.isStatusCurrent()) {
      return reported;
    }
    var reports = state.reports(revision);
    var before = revision.verdict();
    // A success that a deleted object reported does not count.
    var later =
        reports.entrySet().stream()
            .filter(each -> state.values.containsKey(each.getKey()))
            .map(Map.Entry::getValue)
            .filter(report -> report.isAfter(revision))
            .mapToLong(Report::written)
            .max();
    if (later.isPresent() && !isContradicted(state, revision)) {
      // After this success, failures of deleted objects do not count for new ones of their names.
      reports.keySet().retainAll(state.values.keySet());
      // Later than the revision's report, though both may have the same second.
      return reported.withVerdict(
          ConfigStatus.PROVISIONED,
          Math.max(later.getAsLong(), reported.writtenAt() + 1),
          FailureDetails.NONE);
    }
    // A confirmed verdict stays, even if the node was reverted to another revision.
    if (!isNews && before.status() == ConfigStatus.INVALID) {
      return before;
    }
    var confirmation = confirmation(reports.values(), reported.writtenAt());
    if (confirmation.isPresent()) {
      var cleared = !isNews && before.status() == ConfigStatus.PROVISIONED;
      var node = confirmation.get().object().role().node();
      return reported.withVerdict(
          ConfigStatus.INVALID,
          cleared
              ? Math.max(confirmation.get().written(), before.writtenAt() + 1)
              : reported.writtenAt(),
          details(state.guard, reported.details(), node, reason(state.nodes, confirmation.get())));
    }
    return isNews
        ? reported.withVerdict(
            ConfigStatus.SUSPECTED,
            reported.writtenAt(),
            details(state.guard, reported.details(), "", "but no object of a node confirms it"))
        : before;
  }

  private static FailureDetails details(
      Guard guard, FailureDetails reported, String node, String reason) {
    return new FailureDetails(
        reported.writer(),
        reported.time(),
        reported.node().isEmpty() ? node : reported.node(),
        "%s%s, %s"
            .formatted(
                guard.conditions().invalidWhen(),
                reported.reason().isEmpty() ? "" : ": " + reported.reason(),
                reason));
  }

  private Optional<Report> confirmation(Collection<Report> reports, long verdict) {
    var invalid = reports.stream().filter(report -> report.is(NodeStatus.INVALID)).findFirst();
    if (invalid.isPresent() || reports.stream().anyMatch(Report::wasOutdated)) {
      return invalid;
    }
    return reports.stream()
        .filter(report -> report.is(NodeStatus.PROVISIONING) && report.written() <= verdict)
        .filter(report -> wasReady(report.object().role().node(), verdict))
        .findFirst();
  }

  /** A node that became ready later can report itself. */
  private boolean wasReady(String node, long verdict) {
    return readySince.apply(node).filter(since -> since.getEpochSecond() <= verdict).isPresent();
  }

  /** Whether the nodes' objects contradict a success on all nodes. */
  private boolean isContradicted(GuardState state, Revision revision) {
    var reports = state.reports(revision);
    return !isListed.test(state.nodes)
        || state.values.entrySet().stream()
            .filter(now -> !isIgnored(revision, now.getKey(), now.getValue()))
            .anyMatch(
                now -> {
                  var report = reports.get(now.getKey());
                  return !now.getValue().equals(revision.value())
                      || report == null
                      || !report.is(NodeStatus.PROVISIONED);
                });
  }

  /** A node that is not ready gets no new revision, and does not prevent a success. */
  private boolean isIgnored(Revision revision, String key, String value) {
    var node = key.substring(key.indexOf('/') + 1);
    return !revision.isInvalid()
        && !value.equals(revision.value())
        && readySince.apply(node).isEmpty();
  }

  /** Records a node's report about its revision; returns changed verdicts. */
  List<ChangedVerdict> recordReport(Guard guard, JsonNode object, IndexedObject known) {
    var state = stateOfNodes(guard);
    if (state == null || !(known.role() instanceof Role.Current)) {
      return List.of();
    }
    var value = state.link.of(object);
    var before = state.values.put(known.key(), value);
    var reports = state.reports.computeIfAbsent(value, _ -> new LinkedHashMap<>());
    var last = value.equals(before) ? reports.get(known.key()) : null;
    var fields = guard.conditions().fields(known.status());
    var written = ManagedFieldsTimes.of(object.path("metadata"), fields);
    var status = NodeStatus.NOTHING;
    if (before == null
        || fields.contains(state.link.field())
        || written.statusTime() > written.contentTime()
        || (last != null && isReportFresh(last, known, written))) {
      status = statusOf(guard, object, known);
    } else if (guard.conditions().isDecidingFieldInvalid(object)) {
      status = NodeStatus.OUTDATED;
    }
    var wasOutdated = status == NodeStatus.OUTDATED || (last != null && last.wasOutdated());
    reports.put(
        known.key(), new Report(known, status, written.statusTime(), ++state.seen, wasOutdated));
    if (before != null && !before.equals(value)) {
      // Limits the heap if there are no revisions, or if old ones stay.
      state.removeUnlessFailure(before, known.key());
    }
    if (state.reports.size() > MAX_VALUES) {
      state.reports.pollFirstEntry();
    }
    return updateVerdicts(
        state, revision -> revision.value().equals(value) || revision.value().equals(before));
  }

  /** Whether the status was written after the object got its current revision. */
  private static boolean isReportFresh(
      Report last, IndexedObject known, ManagedFieldsTimes written) {
    return !(last.is(NodeStatus.OUTDATED) || last.is(NodeStatus.NOTHING))
        || last.object().status() != known.status()
        || written.statusTime() > last.written();
  }

  private static NodeStatus statusOf(Guard guard, JsonNode object, IndexedObject known) {
    if (known.hasCurrentStatus(ConfigStatus.INVALID)) {
      return NodeStatus.INVALID;
    }
    if (guard.conditions().isDecidingFieldInvalid(object)) {
      return NodeStatus.OUTDATED;
    }
    if (known.hasCurrentStatus(ConfigStatus.PROVISIONED)) {
      return NodeStatus.PROVISIONED;
    }
    return known.isStatusCurrent() && guard.conditions().isProvisioning(object)
        ? NodeStatus.PROVISIONING
        : NodeStatus.NOTHING;
  }

  private static String reason(Guard nodes, Report report) {
    return "%s %s %s"
        .formatted(
            nodes.resource().kind(),
            report.object().key(),
            report.is(NodeStatus.PROVISIONING)
                ? "is still being provisioned although its node is ready"
                : "reports that " + nodes.conditions().invalidWhen());
  }

  /** The number of reports that are held. */
  int countReports() {
    return states.values().stream()
        .flatMap(state -> state.reports.values().stream())
        .mapToInt(Map::size)
        .sum();
  }

  /** Removes a revision with its reports, or a node's object only; returns changed verdicts. */
  List<ChangedVerdict> delete(Guard guard, String key) {
    var state = states.get(guard.name());
    var revision = state == null ? null : state.revisions.remove(key);
    if (state != null && revision != null) {
      // Keep the reports of current objects: the same revision may be created again.
      state
          .reports
          .getOrDefault(revision.value(), new HashMap<>())
          .keySet()
          .removeIf(node -> !revision.value().equals(state.values.get(node)));
    }
    var stateOfNodes = stateOfNodes(guard);
    if (stateOfNodes == null) {
      return List.of();
    }
    var value = stateOfNodes.values.remove(key);
    if (value != null) {
      stateOfNodes.removeUnlessFailure(value, key);
    }
    return updateVerdicts(stateOfNodes, each -> true);
  }

  /** Computes verdicts again after changes of nodes and lists; returns the changed ones. */
  List<ChangedVerdict> refresh() {
    return states.values().stream()
        .flatMap(
            state ->
                updateVerdicts(
                    state, revision -> revision.reported().status() != revision.verdict().status())
                    .stream())
        .toList();
  }

  private List<ChangedVerdict> updateVerdicts(GuardState state, Predicate<Revision> affected) {
    var changed = new ArrayList<ChangedVerdict>();
    state.revisions.replaceAll(
        (key, revision) -> {
          if (revision.reported().status() == ConfigStatus.UNDECIDED || !affected.test(revision)) {
            return revision;
          }
          var verdict = verdict(state, revision, false);
          if (!verdict.equals(revision.verdict())) {
            changed.add(new ChangedVerdict(state.guard, verdict));
          }
          return revision.withVerdict(verdict);
        });
    return changed;
  }
}
