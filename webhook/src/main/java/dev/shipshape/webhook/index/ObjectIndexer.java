package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalid;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Creates the index entry of an object. */
final class ObjectIndexer {
  private ObjectIndexer() {}

  /**
   * What is computed from an object's content.
   *
   * @param holdsSecrets whether the object has secrets; false unless it makes a configuration known
   *     invalid
   * @param json the normalised content of an object that reports "invalid", or of a record, to be
   *     stored for users; null if it is too large
   */
  record Content(ConfigHash hash, boolean holdsSecrets, @Nullable String json) {
    /** The most expensive part of indexing. */
    static Content of(Guard guard, JsonNode object) {
      var identity = guard.identity();
      var isInvalid = guard.statusOf(object) == ConfigStatus.INVALID;
      var isRecord = guard.roleOf(object) instanceof Role.InvalidRecord;
      return new Content(
          identity.hash(object),
          (isInvalid || isRecord) && identity.holdsSecrets(object),
          (isInvalid || isRecord) && !guard.stampOnly()
              ? KnownInvalidConfiguration.content(guard, object)
              : null);
    }
  }

  static String key(JsonNode object) {
    var metadata = object.path("metadata");
    return IndexedObject.key(metadata.path("namespace").asText(), metadata.path("name").asText());
  }

  /**
   * Creates the index entry of an object; the previous one is null if there is none.
   *
   * @param seenAt when this replica received it
   */
  static IndexedObject index(
      Guard guard,
      JsonNode object,
      @Nullable IndexedObject before,
      Content content,
      Instant seenAt) {
    var hash = content.hash();
    var metadata = object.path("metadata");
    var role = guard.roleOf(object);
    var status = guard.statusOf(object);
    var written = ManagedFieldsTimes.of(metadata, guard.conditions().fields(status));
    var details = guard.failure().read(object);
    // An operator may report a failed removal like a failed configuration.
    var isStatusCurrent =
        !metadata.has("deletionTimestamp")
            && isStatusCurrent(written, hash, status, details, before);
    var writtenAt = role instanceof Role.Current ? written.statusTime() : written.contentTime();
    var earliest = writtenAt;
    if (before == null) {
      earliest = Math.min(writtenAt, earliest(details, metadata));
    } else if (isRepeated(before, role, hash, status, isStatusCurrent, details)) {
      writtenAt = before.writtenAt();
      earliest = before.earliestWrittenAt();
    } else if (writtenAt == 0 && status != ConfigStatus.UNDECIDED) {
      // The API server does not say who writes what since a client cleared the managed fields.
      writtenAt = seenAt.getEpochSecond();
      earliest = writtenAt;
    } else if (role instanceof Role.Current && before.hash().equals(hash)) {
      // Of two statuses within a second, the later one counts; a status that flaps is bounded.
      writtenAt =
          Math.max(writtenAt, Math.min(before.writtenAt() + 1, writtenAt + KnownInvalid.MAX_SHIFT));
      earliest = writtenAt;
    }
    var plain =
        new IndexedObject(
            metadata.path("namespace").asText(),
            metadata.path("name").asText(),
            metadata.path("uid").asText(),
            role,
            hash,
            status,
            isStatusCurrent,
            writtenAt,
            earliest,
            content.holdsSecrets(),
            hasStaleHash(metadata, hash),
            status == ConfigStatus.UNDECIDED ? FailureDetails.NONE : details);
    return plain.isInvalid() ? withDetails(plain, metadata, written, details) : plain;
  }

  /**
   * Whether the status is about the current content. After a content has been reverted, the status
   * stays "invalid" until the operator updates it. The definition of the resource can change the
   * content of an object that nobody has written. If the order of the writes is not known, the
   * status does not count: at worst this misses a bad configuration. What this replica observed
   * takes precedence over times, because two API servers may have different clocks, and the time of
   * a status also changes with its other fields.
   */
  private static boolean isStatusCurrent(
      ManagedFieldsTimes written,
      ConfigHash hash,
      ConfigStatus status,
      FailureDetails details,
      @Nullable IndexedObject before) {
    var hasNoStatus = written.statusTime() == 0 && status == ConfigStatus.UNDECIDED;
    if (hasNoStatus) {
      return true;
    }
    var isSame = before != null && before.hash().equals(hash);
    if (before != null && !isSame && written.statusTime() <= before.writtenAt()) {
      return false;
    }
    if (before != null
        && (isSame ? !before.isStatusCurrent() : written.isTimeShared())
        && isSameReport(before, status, details)) {
      return false;
    }
    return written.isFirstGeneration()
        || written.statusTime() > written.contentTime()
        || (before != null
            && written.isTimeShared()
            && written.statusTime() == written.contentTime())
        || (before != null
            && isSame
            && (before.isStatusCurrent()
                || before.status() != status
                || written.statusTime() > before.writtenAt()));
  }

  private static boolean isSameReport(
      IndexedObject before, ConfigStatus status, FailureDetails details) {
    var known = before.details();
    return before.status() == status
        && known.reason().equals(details.reason())
        && known.node().equals(details.node())
        && isSameTime(before, details);
  }

  /** Whether the object reports the same time as before, or none. */
  private static boolean isSameTime(IndexedObject before, FailureDetails details) {
    return details.time().isEmpty() || before.details().time().equals(details.time());
  }

  /**
   * Whether content and status are the same; the times of their writes change with other fields
   * too, the time that the object reports does not.
   */
  private static boolean isRepeated(
      IndexedObject before,
      Role role,
      ConfigHash hash,
      ConfigStatus status,
      boolean isStatusCurrent,
      FailureDetails details) {
    return (status != ConfigStatus.INVALID || isSameTime(before, details))
        && before.role().equals(role)
        && before.hash().equals(hash)
        && before.status() == status
        && before.isStatusCurrent() == isStatusCurrent;
  }

  /** Whether the annotation is stale, as after writes while the webhook was not called. */
  private static boolean hasStaleHash(JsonNode metadata, ConfigHash hash) {
    var stamp = metadata.path("annotations").path(ConfigHash.ANNOTATION).asText();
    return !stamp.isEmpty() && !stamp.equals(hash.toString());
  }

  private static IndexedObject withDetails(
      IndexedObject plain, JsonNode metadata, ManagedFieldsTimes written, FailureDetails details) {
    var writtenAt = plain.writtenAt() > 0 ? plain.writtenAt() : earliest(details, metadata);
    var writer =
        plain.isInvalidRecord() || written.statusManager().isEmpty()
            ? details.writer()
            : written.statusManager();
    return plain.withVerdict(
        plain.status(),
        writtenAt,
        new FailureDetails(
            writer,
            details.time().isEmpty() ? time(writtenAt) : details.time(),
            details.node(),
            details.reason()));
  }

  /** The time that the object reports; otherwise its creation. */
  private static long earliest(FailureDetails details, JsonNode metadata) {
    var reported = ManagedFieldsTimes.seconds(details.time());
    return reported > 0
        ? reported
        : ManagedFieldsTimes.seconds(metadata.path("creationTimestamp").asText());
  }

  private static String time(long writtenAt) {
    return writtenAt > 0 ? Instant.ofEpochSecond(writtenAt).toString() : "";
  }
}
