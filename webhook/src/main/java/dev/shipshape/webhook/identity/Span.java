package dev.shipshape.webhook.identity;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where a part of a container is within a {@link Utf8Buffer}, without the comma behind it. */
sealed interface Span {
  /** Its first byte. */
  int from();

  /** The byte after its last. */
  int to();

  /**
   * A member of an object.
   *
   * @param from where its name begins
   * @param value where its value begins
   */
  record Member(String name, int from, int value, int to) implements Span {
    /** Whether nothing was written, because the value means the same as the member's absence. */
    boolean isAbsent() {
      return from == to;
    }

    /** The same member elsewhere. */
    Member movedTo(int place) {
      return new Member(name, place, value - from + place, to - from + place);
    }
  }

  /**
   * An element of a list.
   *
   * @param members what an object consists of, in the order of their names; null for other values
   */
  record Element(int from, int to, @Nullable List<Member> members) implements Span {
    /** Whether the element is an object. */
    boolean isObject() {
      return members != null;
    }

    /** The member of this name; null where there is none. */
    @Nullable Member member(String name) {
      for (var at = 0; members != null && at < members.size(); at++) {
        if (members.get(at).name().equals(name)) {
          return members.get(at);
        }
      }
      return null;
    }
  }
}
