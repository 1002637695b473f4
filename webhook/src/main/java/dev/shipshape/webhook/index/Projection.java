package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.guard.Role;
import dev.shipshape.webhook.guard.Standing;
import dev.shipshape.webhook.guard.Story;
import dev.shipshape.webhook.identity.ConfigHash;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reduces an object to what the index keeps of it. */
public final class Projection {
  private Projection() {}

  /** What the guard makes of an object that was not known before. */
  public static IndexedObject of(Guard guard, JsonNode object) {
    return of(guard, object, null);
  }

  /**
   * What the guard makes of the object.
   *
   * @param before what it made of it last; null where it was not known
   */
  public static IndexedObject of(Guard guard, JsonNode object, @Nullable IndexedObject before) {
    var identity = guard.identity();
    return of(guard, object, before, identity.hash(object), identity.holdsSecrets(object));
  }

  /** The same, where it is known already what the object's content comes to. */
  static IndexedObject of(
      Guard guard,
      JsonNode object,
      @Nullable IndexedObject before,
      ConfigHash hash,
      boolean holdsSecrets) {
    var metadata = object.path("metadata");
    var written = WrittenAt.of(metadata);
    var role = guard.roleOf(object);
    var standing = guard.standingOf(object);
    var plain =
        new IndexedObject(
            metadata.path("namespace").asText(),
            metadata.path("name").asText(),
            role,
            hash,
            standing,
            isAboutThis(written, hash, standing, before),
            role instanceof Role.Current ? written.status() : written.content(),
            false,
            Story.NONE);
    return plain.invalid() ? told(plain, guard, object, written, holdsSecrets) : plain;
  }

  /**
   * A status that says "invalid" still stands when the content has gone back to a good one, until
   * the operator writes it anew. Where it cannot be told which came last, the status counts for
   * nothing: that misses a bad configuration at worst. What was seen goes before what times say,
   * for the two may be of two API servers' clocks.
   */
  private static boolean isAboutThis(
      WrittenAt written, ConfigHash hash, Standing standing, @Nullable IndexedObject before) {
    var saysNothing = written.status() == 0 && standing == Standing.UNDECIDED;
    if (written.onlyOnce() || saysNothing) {
      return true;
    }
    var isSame = before != null && before.hash().equals(hash);
    if (before != null && !isSame && written.status() == before.at()) {
      return false;
    }
    return written.status() > written.content()
        || (written.together() && written.status() == written.content())
        || (before != null && isSame && (before.aboutThis() || before.standing() != standing));
  }

  private static IndexedObject told(
      IndexedObject plain, Guard guard, JsonNode object, WrittenAt written, boolean holdsSecrets) {
    var told = guard.told().of(object);
    var at = writtenAt(plain, told, object);
    var isRecord = plain.role() instanceof Role.InvalidRecord;
    var by = isRecord || written.statusBy().isEmpty() ? told.recordedBy() : written.statusBy();
    return new IndexedObject(
        plain.namespace(),
        plain.name(),
        plain.role(),
        plain.hash(),
        plain.standing(),
        plain.aboutThis(),
        at,
        holdsSecrets,
        new Story(by, told.at().isEmpty() ? time(at) : told.at(), told.node(), told.why()));
  }

  /** By the API server's clock where it tells; else as the object says, or its creation. */
  private static long writtenAt(IndexedObject plain, Story told, JsonNode object) {
    if (plain.at() > 0) {
      return plain.at();
    }
    var said = WrittenAt.seconds(told.at());
    return said > 0
        ? said
        : WrittenAt.seconds(object.path("metadata").path("creationTimestamp").asText());
  }

  private static String time(long at) {
    return at > 0 ? Instant.ofEpochSecond(at).toString() : "";
  }
}
