package dev.shipshape.webhook.known;

import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import java.time.Instant;
import java.util.List;

/**
 * A reason why a configuration is known invalid: an object or a KnownInvalidConfiguration.
 *
 * @param subject the name in messages and the audit log
 * @param nodes the nodes that it applies to; empty if not known
 * @param failedOn the nodes on which the configuration failed, for messages
 * @param since ISO 8601; empty if not known
 * @param writer the field manager that reported the failure; empty if not known
 * @param reason the error; empty if not known
 * @param holdsSecrets whether the failed object has secrets, which are in no hash
 * @param onlyWarns whether writes are only warned of, not refused
 * @param rememberedFrom the key of the object that a KnownInvalidConfiguration was learned from;
 *     empty if the evidence is an object itself, or comes from another cluster
 * @param remedy what to do: a sentence with a trailing blank
 */
public record Evidence(
    String subject,
    List<String> nodes,
    List<String> failedOn,
    String since,
    String writer,
    String reason,
    boolean holdsSecrets,
    boolean onlyWarns,
    String rememberedFrom,
    String remedy) {
  private static final String REPAIR = "Correct it, or repair the cause and ";

  /** The evidence for a guard's probe. */
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
        object.details().time(),
        object.details().writer(),
        reason(guard, object),
        object.holdsSecrets(),
        isSuspected,
        "",
        isRecord
            ? REPAIR
                + "delete %s %s, then %s"
                    .formatted(
                        guard.resource(), object.key(), forget(object.hash(), object.namespace()))
            : "Correct it, or repair what made %s fail. ".formatted(object.key()));
  }

  static Evidence of(KnownInvalidConfiguration known) {
    var name = known.source().name();
    var source = name.isEmpty() ? "" : IndexedObject.key(known.key().namespace(), name);
    return new Evidence(
        (source.isEmpty() ? known.key().objectName() : source)
            + (known.isImported() ? " (imported)" : " (remembered)"),
        known.isDeclared() ? List.of() : known.nodes(),
        // In another cluster, different nodes may have the same names.
        known.isImported() ? List.of() : known.nodes(),
        known.lastFailedAt().equals(Instant.EPOCH) ? "" : known.lastFailedAt().toString(),
        known.writer(),
        known.reason(),
        known.holdsSecrets(),
        known.verdict() == Verdict.SUSPECTED,
        known.isImported() ? "" : source,
        REPAIR + forget(known.key().hash(), known.key().namespace()));
  }

  /** Returns the error of a failed object, else what makes it count as failed. */
  static String reason(Guard guard, IndexedObject object) {
    var error = object.details().reason();
    return error.isEmpty() && !object.isInvalidRecord()
        ? String.valueOf(guard.conditions().invalidWhen())
        : error;
  }

  /** Names the first nodes, and how many more there are. */
  public static String named(List<String> nodes, int max) {
    var first = String.join(", ", nodes.subList(0, Math.min(max, nodes.size())));
    return nodes.size() <= max ? first : "%s and %d more".formatted(first, nodes.size() - max);
  }

  private static String forget(ConfigHash hash, String namespace) {
    return "run: helm shipshape forget %s%s. "
        .formatted(
            hash.abbreviated(), namespace.isEmpty() ? "" : " --config-namespace " + namespace);
  }

  /** Whether it applies to this node. */
  boolean isAbout(String node) {
    return nodes.isEmpty() || nodes.contains(node);
  }
}
