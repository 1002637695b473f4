package dev.shipshape.webhook.index;

import dev.shipshape.webhook.guard.Role;
import dev.shipshape.webhook.guard.Standing;
import dev.shipshape.webhook.guard.Story;
import dev.shipshape.webhook.identity.ConfigHash;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/**
 * One object as bytes:
 *
 * <pre>
 * 0       flags: role (2 bits), standing (2), aboutThis, holdsSecrets, whether a story is told, gone
 * 1..32   hash
 * 33..36  address of the entry before it that has the same hash and is invalid too; -1 for none
 * 37..    namespace (shared), name (text), node (its length, where the name begins with it, plus
 *         one; or else 0 and a text), at and earliest (numbers)
 *         of a story: recordedBy (shared), at (seconds; or else 0 and a text), node, why (shared)
 * </pre>
 *
 * Numbers and texts as {@link Packing} has them; a shared text is a number of {@link SharedTexts},
 * or else 0 and a text.
 */
final class EntryFormat {
  private static final int HASH = 1;
  private static final int BEFORE = HASH + 4 * Long.BYTES;
  private static final int REST = BEFORE + Integer.BYTES;
  private static final int MOST_NUMBERS = 13;

  private static final int ROLE = 0b11;
  private static final int STANDING_SHIFT = 2;
  private static final int ABOUT_THIS = 1 << 4;
  private static final int HOLDS_SECRETS = 1 << 5;
  private static final int TOLD = 1 << 6;
  private static final int GONE = 1 << 7;

  private static final List<Standing> STANDINGS = List.of(Standing.values());

  private final SharedTexts shared;

  EntryFormat(SharedTexts shared) {
    this.shared = shared;
  }

  /** The object's bytes, from position to limit, with no entry before them. */
  ByteBuffer write(IndexedObject object) {
    var out = ByteBuffer.allocate(room(object));
    out.put((byte) flags(object));
    var hash = object.hash();
    out.putLong(hash.first()).putLong(hash.second()).putLong(hash.third()).putLong(hash.fourth());
    out.putInt(AddressTable.NONE);
    putShared(out, object.namespace());
    Packing.putText(out, object.name());
    putNode(out, object.role().node(), object.name());
    Packing.putNumber(out, object.at());
    Packing.putNumber(out, object.earliest());
    if (isTold(object)) {
      putShared(out, object.story().recordedBy());
      putTime(out, object.story().at());
      putShared(out, object.story().node());
      putShared(out, object.story().why());
    }
    return out.flip();
  }

  private static int room(IndexedObject object) {
    var story = object.story();
    return REST
        + MOST_NUMBERS * Packing.LONGEST_NUMBER
        + Packing.room(object.namespace())
        + Packing.room(object.name())
        + Packing.room(object.role().node())
        + Packing.room(story.recordedBy())
        + Packing.room(story.at())
        + Packing.room(story.node())
        + Packing.room(story.why());
  }

  /** Reads the object, to the end of its bytes. */
  IndexedObject read(ByteBuffer entry) {
    var flags = entry.get();
    var hash = new ConfigHash(entry.getLong(), entry.getLong(), entry.getLong(), entry.getLong());
    entry.getInt();
    var namespace = shared(entry);
    var name = Packing.text(entry);
    return new IndexedObject(
        namespace,
        name,
        role(flags, node(entry, name)),
        hash,
        STANDINGS.get(flags >> STANDING_SHIFT & 0b11),
        (flags & ABOUT_THIS) != 0,
        Packing.number(entry),
        Packing.number(entry),
        (flags & HOLDS_SECRETS) != 0,
        (flags & TOLD) == 0
            ? Story.NONE
            : new Story(shared(entry), time(entry), shared(entry), shared(entry)));
  }

  /** The object's key. */
  String key(ByteBuffer entry) {
    entry.position(REST);
    return IndexedObject.key(shared(entry), Packing.text(entry));
  }

  static boolean hasHash(ByteBuffer entry, ConfigHash hash) {
    return entry.getLong(HASH) == hash.first()
        && entry.getLong(HASH + Long.BYTES) == hash.second()
        && entry.getLong(HASH + 2 * Long.BYTES) == hash.third()
        && entry.getLong(HASH + 3 * Long.BYTES) == hash.fourth();
  }

  /** Where the entry is that this one was put before, of the same hash. */
  static int before(ByteBuffer entry) {
    return entry.getInt(BEFORE);
  }

  static void setBefore(ByteBuffer entry, int before) {
    entry.putInt(BEFORE, before);
  }

  /** Whether the object has gone, or has become another entry. */
  static boolean isGone(ByteBuffer entry) {
    return (entry.get(0) & GONE) != 0;
  }

  static void markGone(ByteBuffer entry) {
    entry.put(0, (byte) (entry.get(0) | GONE));
  }

  private static int flags(IndexedObject object) {
    var role =
        switch (object.role()) {
          case Role.Current ignored -> 0;
          case Role.InvalidRecord ignored -> 1;
          case Role.Backup ignored -> 2;
        };
    return role
        | STANDINGS.indexOf(object.standing()) << STANDING_SHIFT
        | (object.aboutThis() ? ABOUT_THIS : 0)
        | (object.holdsSecrets() ? HOLDS_SECRETS : 0)
        | (isTold(object) ? TOLD : 0);
  }

  private static boolean isTold(IndexedObject object) {
    return !object.story().equals(Story.NONE);
  }

  private static Role role(int flags, String node) {
    return switch (flags & ROLE) {
      case 0 -> new Role.Current(node);
      case 1 -> new Role.InvalidRecord(node);
      default -> new Role.Backup(node);
    };
  }

  private static void putNode(ByteBuffer out, String node, String name) {
    if (name.startsWith(node)) {
      Packing.putNumber(out, node.length() + 1);
    } else {
      Packing.putNumber(out, 0);
      Packing.putText(out, node);
    }
  }

  private static String node(ByteBuffer in, String name) {
    var length = (int) Packing.number(in);
    return length == 0 ? Packing.text(in) : name.substring(0, length - 1);
  }

  private static void putTime(ByteBuffer out, String time) {
    var seconds = WrittenAt.seconds(time);
    if (seconds > 0 && Instant.ofEpochSecond(seconds).toString().equals(time)) {
      Packing.putNumber(out, seconds);
    } else {
      Packing.putNumber(out, 0);
      Packing.putText(out, time);
    }
  }

  private static String time(ByteBuffer in) {
    var seconds = Packing.number(in);
    return seconds == 0 ? Packing.text(in) : Instant.ofEpochSecond(seconds).toString();
  }

  private void putShared(ByteBuffer out, String text) {
    var number = shared.numberOf(text);
    Packing.putNumber(out, number);
    if (number == SharedTexts.UNSHARED) {
      Packing.putText(out, text);
    }
  }

  private String shared(ByteBuffer in) {
    var number = (int) Packing.number(in);
    return number == SharedTexts.UNSHARED ? Packing.text(in) : shared.text(number);
  }
}
