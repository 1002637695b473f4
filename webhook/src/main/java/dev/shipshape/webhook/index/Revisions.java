package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.RevisionLink;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
  /** Limits the values without a revision, which some operators produce: the oldest is removed. */
  private static final int MOST_VALUES = 10_000;

  /** A changed verdict about a revision. */
  public record Judged(Guard guard, IndexedObject object, String uid) {}

  /**
   * @param said what its own status reports
   * @param verdict the verdict about that report
   * @param order when the report was first seen, as a sequence number
   */
  private record Revision(
      String uid, String value, IndexedObject said, IndexedObject verdict, long order) {
    boolean isInvalid() {
      return said.standing() == ConfigStatus.INVALID;
    }

    Revision judged(IndexedObject other) {
      return new Revision(uid, value, said, other, order);
    }
  }

  private enum Said {
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
      IndexedObject object, Said said, long written, long order, boolean wasOutdated, String why) {
    boolean is(Said what) {
      return said == what;
    }

    boolean isAfter(Revision revision) {
      var verdict = revision.said().at();
      return written > verdict || (written == verdict && order > revision.order());
    }
  }

  /** The state of the revisions of one guard. */
  private static final class Ledger {
    private final Guard guard;
    private final RevisionLink link;

    /** The guards of the nodes' objects. */
    private final List<Guard> nodes = new ArrayList<>();

    private final Map<String, Revision> revisions = new HashMap<>();

    /** By the value of the link field, then by the key of the node's object. */
    private final Map<String, Map<String, Report>> reports = new LinkedHashMap<>();

    /** The current value of the link field of each node's object. */
    private final Map<String, String> values = new HashMap<>();

    private long seen;

    Ledger(Guard guard, RevisionLink link) {
      this.guard = guard;
      this.link = link;
    }

    Collection<Report> reports(Revision revision) {
      return reports.getOrDefault(revision.value(), Map.of()).values();
    }
  }

  /** By the name of the revisions' guard. */
  private final Map<String, Ledger> ledgers = new HashMap<>();

  private final Function<String, Optional<Instant>> readySince;
  private final Predicate<Guard> isListed;

  /**
   * @param readySince since when the node of this name is ready; empty if it is not or not known
   * @param isListed whether all objects of a guard have been listed
   */
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
            .map(guard -> ledgers.computeIfAbsent(guard.name(), _ -> new Ledger(guard, link)))
            .forEach(ledger -> ledger.nodes.add(nodes));
      }
    }
  }

  /**
   * The state of the revisions that this guard's objects are generated from; null if there are
   * none.
   */
  private @Nullable Ledger ofNodes(Guard guard) {
    var link = guard.revisions();
    return link == null ? null : ledgers.get(link.guard());
  }

  /** Returns the last report of a revision; null if it is not a known revision. */
  @Nullable IndexedObject lastSaid(Guard guard, String key) {
    var ledger = ledgers.get(guard.name());
    var revision = ledger == null ? null : ledger.revisions.get(key);
    return revision == null ? null : revision.said();
  }

  /** Returns the entry with its verdict; the entry itself if the object is no revision. */
  IndexedObject judge(Guard guard, JsonNode object, IndexedObject said) {
    var ledger = ledgers.get(guard.name());
    if (ledger == null) {
      return said;
    }
    var before = ledger.revisions.get(said.key());
    var isSame =
        before != null
            && before.said().standing() == said.standing()
            && before.said().hash().equals(said.hash());
    var revision =
        new Revision(
            object.path("metadata").path("uid").asText(),
            ledger.link.of(object),
            said,
            before != null && isSame ? before.verdict() : said,
            before != null && isSame ? before.order() : ++ledger.seen);
    var verdict = verdict(ledger, revision, !isSame);
    ledger.revisions.put(said.key(), revision.judged(verdict));
    return verdict;
  }

  /**
   * Computes the verdict from the reports.
   *
   * @param isNews whether the revision's report is new
   */
  private IndexedObject verdict(Ledger ledger, Revision revision, boolean isNews) {
    var said = revision.said();
    return switch (said.standing()) {
      case INVALID -> ofInvalid(ledger, revision, isNews);
      case PROVISIONED ->
          isContradicted(ledger, revision)
              ? said.judged(ConfigStatus.UNDECIDED, said.at(), FailureDetails.NONE)
              : said;
      case UNDECIDED, SUSPECTED -> said;
    };
  }

  private IndexedObject ofInvalid(Ledger ledger, Revision revision, boolean isNews) {
    var said = revision.said();
    if (!said.aboutThis()) {
      return said;
    }
    var reports = ledger.reports(revision);
    var before = revision.verdict();
    var isLater = reports.stream().anyMatch(report -> report.isAfter(revision));
    if (isLater && !isContradicted(ledger, revision)) {
      var last = reports.stream().mapToLong(Report::written).max().orElse(0);
      // Later than the revision's report, though both may have the same second.
      return said.judged(
          ConfigStatus.PROVISIONED, Math.max(last, said.at() + 1), FailureDetails.NONE);
    }
    // A confirmed verdict stays, even if the node was reverted to another revision.
    if (!isNews && before.standing() == ConfigStatus.INVALID) {
      return before;
    }
    var support = support(reports, said.at());
    if (support.isPresent()) {
      var cleared = !isNews && before.standing() == ConfigStatus.PROVISIONED;
      var node = support.get().object().role().node();
      return said.judged(
          ConfigStatus.INVALID,
          cleared ? Math.max(support.get().written(), before.at() + 1) : said.at(),
          details(ledger.guard, said.details(), node, support.get().why()));
    }
    return isNews
        ? said.judged(
            ConfigStatus.SUSPECTED,
            said.at(),
            details(ledger.guard, said.details(), "", nothingSupports(reports)))
        : before;
  }

  private static FailureDetails details(Guard guard, FailureDetails told, String node, String why) {
    return new FailureDetails(
        told.recordedBy(),
        told.at(),
        told.node().isEmpty() ? node : told.node(),
        "%s%s, %s"
            .formatted(
                guard.signs().invalidWhen(), told.why().isEmpty() ? "" : ": " + told.why(), why));
  }

  private static String nothingSupports(Collection<Report> reports) {
    var outdated =
        reports.stream()
            .filter(report -> report.is(Said.OUTDATED))
            .map(report -> report.object().key())
            .sorted()
            .findFirst();
    return "but no object of a node confirms it"
        + outdated
            .map(key -> "; the status of %s is about the previous revision".formatted(key))
            .orElse("");
  }

  private Optional<Report> support(Collection<Report> reports, long verdict) {
    var invalid = reports.stream().filter(report -> report.is(Said.INVALID)).findFirst();
    if (invalid.isPresent() || reports.stream().anyMatch(Report::wasOutdated)) {
      return invalid;
    }
    return reports.stream()
        .filter(report -> report.is(Said.PROVISIONING) && report.written() <= verdict)
        .filter(report -> wasReady(report.object().role().node(), verdict))
        .findFirst();
  }

  /** A node that became ready later can report itself. */
  private boolean wasReady(String node, long verdict) {
    return readySince.apply(node).filter(since -> since.getEpochSecond() <= verdict).isPresent();
  }

  /** Whether the nodes' objects contradict a success on all nodes. */
  private boolean isContradicted(Ledger ledger, Revision revision) {
    var reports = ledger.reports.getOrDefault(revision.value(), Map.of());
    return !ledger.nodes.stream().allMatch(isListed)
        || ledger.values.entrySet().stream()
            .filter(now -> !isLeftOut(revision, now.getKey(), now.getValue()))
            .anyMatch(
                now -> {
                  var report = reports.get(now.getKey());
                  return !now.getValue().equals(revision.value())
                      || report == null
                      || !report.is(Said.PROVISIONED);
                });
  }

  /** A node that is not ready gets no new revision, and does not prevent a success. */
  private boolean isLeftOut(Revision revision, String node, String value) {
    return !revision.isInvalid()
        && !value.equals(revision.value())
        && readySince.apply(node).isEmpty();
  }

  /**
   * Records the report of a node's object about its revision.
   *
   * @return changed verdicts
   */
  List<Judged> report(Guard guard, JsonNode object, IndexedObject known) {
    var ledger = ofNodes(guard);
    if (ledger == null || !(known.role() instanceof Role.Current)) {
      return List.of();
    }
    var value = ledger.link.of(object);
    var before = ledger.values.put(known.key(), value);
    var reports = ledger.reports.computeIfAbsent(value, of -> new LinkedHashMap<>());
    var last = value.equals(before) ? reports.get(known.key()) : null;
    var fields = guard.signs().fields(known.standing());
    var written = ManagedFieldsTimes.of(object.path("metadata"), fields);
    var said = Said.NOTHING;
    if (before == null
        || fields.contains(ledger.link.field())
        || written.status() > written.content()
        || (last != null && isSince(last, known, written))) {
      said = said(guard, object, known);
    } else if (guard.signs().beginsInvalid(object)) {
      said = Said.OUTDATED;
    }
    var wasOutdated = said == Said.OUTDATED || (last != null && last.wasOutdated());
    reports.put(
        known.key(),
        new Report(
            known, said, written.status(), ++ledger.seen, wasOutdated, why(guard, known, said)));
    if (ledger.reports.size() > MOST_VALUES) {
      ledger.reports.keySet().remove(ledger.reports.keySet().iterator().next());
    }
    return judgeAnew(
        ledger, revision -> revision.value().equals(value) || revision.value().equals(before));
  }

  /**
   * Returns the failures that an object adds to revisions that are invalid: a node's object adds
   * the failure of its own node; a revision adds the failures of all its nodes' objects.
   */
  List<Judged> failures(Guard guard, IndexedObject object) {
    var ofNodes = ofNodes(guard);
    var ledger = ofNodes == null ? ledgers.get(guard.name()) : ofNodes;
    return ledger == null
        ? List.of()
        : ledger.revisions.values().stream()
            .filter(revision -> revision.verdict().says(ConfigStatus.INVALID))
            .filter(revision -> ofNodes != null || revision.said().key().equals(object.key()))
            .flatMap(
                revision ->
                    ledger.reports(revision).stream()
                        .filter(report -> report.is(Said.INVALID))
                        .map(Report::object)
                        .filter(node -> ofNodes == null || node.key().equals(object.key()))
                        .limit(KnownInvalidConfiguration.MOST_NODES)
                        .map(node -> failure(ledger.guard, revision, node)))
            .toList();
  }

  private static Judged failure(Guard guard, Revision revision, IndexedObject node) {
    var details = node.details();
    var told =
        new FailureDetails(
            details.recordedBy(),
            details.at(),
            node.role().node(),
            details.why().isEmpty() ? revision.verdict().details().why() : details.why());
    return new Judged(guard, revision.verdict().saidBy(node, told), revision.uid());
  }

  /** Whether the status was written after the object got its current revision. */
  private static boolean isSince(Report last, IndexedObject known, ManagedFieldsTimes written) {
    return !(last.is(Said.OUTDATED) || last.is(Said.NOTHING))
        || last.object().standing() != known.standing()
        || written.status() > last.written();
  }

  private static Said said(Guard guard, JsonNode object, IndexedObject known) {
    if (known.says(ConfigStatus.INVALID)) {
      return Said.INVALID;
    }
    if (guard.signs().beginsInvalid(object)) {
      return Said.OUTDATED;
    }
    if (known.says(ConfigStatus.PROVISIONED)) {
      return Said.PROVISIONED;
    }
    return known.aboutThis() && guard.signs().saysProvisioning(object)
        ? Said.PROVISIONING
        : Said.NOTHING;
  }

  private static String why(Guard guard, IndexedObject known, Said said) {
    return said == Said.PROVISIONING
        ? "%s %s is still being provisioned although its node is ready"
            .formatted(guard.resource().kind(), known.key())
        : "%s %s says %s"
            .formatted(guard.resource().kind(), known.key(), guard.signs().invalidWhen());
  }

  /**
   * Removes a revision and the reports about it, or a node's object, whose report stays.
   *
   * @return changed verdicts
   */
  List<Judged> gone(Guard guard, String key) {
    var ledger = ledgers.get(guard.name());
    var revision = ledger == null ? null : ledger.revisions.remove(key);
    if (ledger != null && revision != null) {
      // Keep the reports of current objects: the same revision may be created again.
      ledger
          .reports
          .getOrDefault(revision.value(), new HashMap<>())
          .keySet()
          .removeIf(node -> !revision.value().equals(ledger.values.get(node)));
    }
    var ofNodes = ofNodes(guard);
    if (ofNodes == null) {
      return List.of();
    }
    ofNodes.values.remove(key);
    return judgeAnew(ofNodes, each -> true);
  }

  /**
   * Computes verdicts again after changes of nodes and lists.
   *
   * @return changed verdicts
   */
  List<Judged> refresh() {
    return ledgers.values().stream()
        .flatMap(
            ledger ->
                judgeAnew(
                    ledger, revision -> revision.said().standing() != revision.verdict().standing())
                    .stream())
        .toList();
  }

  private List<Judged> judgeAnew(Ledger ledger, Predicate<Revision> affected) {
    var changed = new ArrayList<Judged>();
    ledger.revisions.replaceAll(
        (key, revision) -> {
          if (revision.said().standing() == ConfigStatus.UNDECIDED || !affected.test(revision)) {
            return revision;
          }
          var verdict = verdict(ledger, revision, false);
          if (!verdict.equals(revision.verdict())) {
            changed.add(new Judged(ledger.guard, verdict, revision.uid()));
          }
          return revision.judged(verdict);
        });
    return changed;
  }
}
