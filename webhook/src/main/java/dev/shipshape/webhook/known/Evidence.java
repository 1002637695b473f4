package dev.shipshape.webhook.known;

import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import java.util.List;

/**
 * What makes a configuration known invalid: an object, or a KnownInvalidConfiguration.
 *
 * @param subject how messages and the audit log name it
 * @param nodes the nodes that it is about; empty if that is not known
 * @param failedOn the nodes on which it failed, as messages name them
 * @param since ISO 8601; empty if that is not known
 * @param writer who wrote that it failed; empty if that is not known
 * @param why why it failed; empty if that is not known
 * @param holdsSecrets whether it holds secrets, which are in no hash
 * @param onlyWarns whether no write is refused for its sake
 * @param rememberedFrom the object that a KnownInvalidConfiguration was learned from; empty if an
 *     object says so itself
 * @param remedy what to do, a sentence with a blank after it
 */
public record Evidence(
    String subject,
    List<String> nodes,
    List<String> failedOn,
    String since,
    String writer,
    String why,
    boolean holdsSecrets,
    boolean onlyWarns,
    String rememberedFrom,
    String remedy) {
  private static final String REPAIR = "Correct it, or repair the cause and ";

  /** That somebody tests the guard. */
  static final Evidence PROBE =
      new Evidence(
          "shipshape's own probe",
          List.of(),
          List.of(),
          "",
          "",
          "it proves that the guard works",
          false,
          false,
          "",
          "");

  public Evidence {
    nodes = List.copyOf(nodes);
    failedOn = List.copyOf(failedOn);
  }

  static Evidence of(Guard guard, IndexedObject object, boolean isSuspected) {
    var isRecord = object.role() instanceof Role.InvalidRecord;
    var node = isRecord ? object.role().node() : object.details().node();
    return new Evidence(
        object.key(),
        List.of(object.role().node()),
        node.isEmpty() ? List.of() : List.of(node),
        object.details().at(),
        object.details().recordedBy(),
        object.details().why(),
        object.holdsSecrets(),
        isSuspected,
        "",
        isRecord
            ? REPAIR + "delete %s %s. ".formatted(guard.resource(), object.key())
            : "Correct it, or repair what made %s fail. ".formatted(object.key()));
  }

  static Evidence of(KnownInvalidConfiguration known) {
    var source = known.source().name();
    return new Evidence(
        (source.isEmpty() ? known.key().objectName() : source)
            + (known.isImported() ? " (imported)" : " (remembered)"),
        known.nodes(),
        // The nodes of another cluster may have the names of this one's.
        known.isImported() ? List.of() : known.nodes(),
        known.at().toString(),
        known.writer(),
        known.reason(),
        known.holdsSecrets(),
        known.verdict() == Verdict.SUSPECTED,
        source,
        REPAIR + "run: helm shipshape forget %s. ".formatted(known.key().hash().abbreviated()));
  }

  /** Whether it counts on this node. */
  boolean isAbout(String node) {
    return nodes.isEmpty() || nodes.contains(node);
  }
}
