package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.FailureDetails;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.config.Role;
import dev.shipshape.webhook.identity.ConfigHash;
import dev.shipshape.webhook.known.IndexedObject;
import dev.shipshape.webhook.known.KnownInvalidConfiguration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Creates the index entry of an object. */
public final class ObjectIndexer {
  private ObjectIndexer() {}

  /**
   * What is computed from an object's content.
   *
   * @param holdsSecrets whether the object has secrets; false unless it makes a configuration known
   *     invalid
   * @param json the normalised content of an object that reports "invalid", to be stored for users;
   *     null if it is too large
   */
  public record Content(ConfigHash hash, boolean holdsSecrets, @Nullable String json) {
    /** The most expensive part of indexing. */
    public static Content of(Guard guard, JsonNode object) {
      var identity = guard.identity();
      var isInvalid = guard.standingOf(object) == ConfigStatus.INVALID;
      var isRecord = guard.roleOf(object) instanceof Role.InvalidRecord;
      return new Content(
          identity.hash(object),
          (isInvalid || isRecord) && identity.holdsSecrets(object),
          isInvalid && !guard.stampsOnly()
              ? KnownInvalidConfiguration.content(guard, object)
              : null);
    }
  }

  static String key(JsonNode object) {
    var metadata = object.path("metadata");
    return IndexedObject.key(metadata.path("namespace").asText(), metadata.path("name").asText());
  }

  /**
   * Creates the index entry of an object.
   *
   * @param before the previous entry; null if there is none
   */
  public static IndexedObject of(
      Guard guard, JsonNode object, @Nullable IndexedObject before, Content content) {
    var hash = content.hash();
    var metadata = object.path("metadata");
    var role = guard.roleOf(object);
    var standing = guard.standingOf(object);
    var written = ManagedFieldsTimes.of(metadata, guard.signs().fields(standing));
    var aboutThis = isAboutThis(written, hash, standing, before);
    var told = guard.told().of(object);
    var at = role instanceof Role.Current ? written.status() : written.content();
    var earliest = at;
    if (before == null) {
      earliest = Math.min(at, earliest(told, metadata));
    } else if (isSaidAlready(before, role, hash, standing, aboutThis)) {
      at = before.at();
      earliest = before.earliest();
    }
    var plain =
        new IndexedObject(
            metadata.path("namespace").asText(),
            metadata.path("name").asText(),
            role,
            hash,
            standing,
            aboutThis,
            at,
            earliest,
            content.holdsSecrets(),
            isStampedOtherwise(metadata, hash),
            FailureDetails.NONE);
    return plain.invalid() ? told(plain, metadata, written, told) : plain;
  }

  /**
   * Whether the status is about the current content. After a content has been reverted, the status
   * stays "invalid" until the operator updates it. If the order of the writes is not known, the
   * status does not count: at worst this misses a bad configuration. What this replica has seen
   * takes precedence over times, because two API servers may have different clocks.
   */
  private static boolean isAboutThis(
      ManagedFieldsTimes written,
      ConfigHash hash,
      ConfigStatus standing,
      @Nullable IndexedObject before) {
    var saysNothing = written.status() == 0 && standing == ConfigStatus.UNDECIDED;
    if (written.onlyOnce() || saysNothing) {
      return true;
    }
    var isSame = before != null && before.hash().equals(hash);
    if (before != null && !isSame && written.status() == before.at()) {
      return false;
    }
    return written.status() > written.content()
        || (written.together() && written.status() == written.content())
        || (before != null
            && isSame
            && (before.aboutThis()
                || before.standing() != standing
                || written.status() > before.at()));
  }

  /**
   * Whether the previous entry has the same content and status. The times of managed fields also
   * change when the same manager writes other fields.
   */
  private static boolean isSaidAlready(
      IndexedObject before, Role role, ConfigHash hash, ConfigStatus standing, boolean aboutThis) {
    return before.role().equals(role)
        && before.hash().equals(hash)
        && before.standing() == standing
        && before.aboutThis() == aboutThis;
  }

  /**
   * Whether the hash annotation differs. It stays old if an object is written while the webhook is
   * not called.
   */
  private static boolean isStampedOtherwise(JsonNode metadata, ConfigHash hash) {
    var stamp = metadata.path("annotations").path(ConfigHash.ANNOTATION).asText();
    return !stamp.isEmpty() && !stamp.equals(hash.toString());
  }

  private static IndexedObject told(
      IndexedObject plain, JsonNode metadata, ManagedFieldsTimes written, FailureDetails told) {
    var at = plain.at() > 0 ? plain.at() : earliest(told, metadata);
    var by =
        plain.isInvalidRecord() || written.statusBy().isEmpty()
            ? told.recordedBy()
            : written.statusBy();
    return plain.judged(
        plain.standing(),
        at,
        new FailureDetails(
            by, told.at().isEmpty() ? time(at) : told.at(), told.node(), told.why()));
  }

  /** The time that the object reports; otherwise its creation. */
  private static long earliest(FailureDetails told, JsonNode metadata) {
    var said = ManagedFieldsTimes.seconds(told.at());
    return said > 0
        ? said
        : ManagedFieldsTimes.seconds(metadata.path("creationTimestamp").asText());
  }

  private static String time(long at) {
    return at > 0 ? Instant.ofEpochSecond(at).toString() : "";
  }
}
