package dev.shipshape.audit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A member of the event's JSON on the way to a field, or the field itself. */
final class Member {
  /** The event, with all that is looked for below it. */
  static final Member EVENT = new Member("", null);

  static {
    for (var field : Field.values()) {
      EVENT.add(field, 0);
    }
    EVENT.freeze();
  }

  final byte[] key;
  final @Nullable Field field;
  private final List<Member> added = new ArrayList<>();

  /** By the length of their keys, as nearly all keys are ruled out by it. */
  private Member[][] children = {};

  private Member(String key, @Nullable Field field) {
    this.key = key.getBytes(StandardCharsets.UTF_8);
    this.field = field;
  }

  /** The member that has these bytes as its key, if it is on the way to a field. */
  @Nullable Member child(byte[] bytes, int from, int to) {
    if (to - from >= children.length) {
      return null;
    }
    for (var child : children[to - from]) {
      if (child.key[0] == bytes[from]
          && Arrays.equals(bytes, from, to, child.key, 0, child.key.length)) {
        return child;
      }
    }
    return null;
  }

  private void add(Field field, int depth) {
    var key = field.path().get(depth);
    if (depth == field.path().size() - 1) {
      added.add(new Member(key, field));
      return;
    }
    var bytes = key.getBytes(StandardCharsets.UTF_8);
    var way =
        added.stream()
            .filter(member -> Arrays.equals(member.key, bytes))
            .findFirst()
            .orElseGet(
                () -> {
                  var made = new Member(key, null);
                  added.add(made);
                  return made;
                });
    way.add(field, depth + 1);
  }

  private void freeze() {
    var longest = added.stream().mapToInt(member -> member.key.length).max().orElse(0);
    children =
        IntStream.rangeClosed(0, longest)
            .mapToObj(
                length ->
                    added.stream()
                        .filter(member -> member.key.length == length)
                        .toArray(Member[]::new))
            .toArray(Member[][]::new);
    added.forEach(Member::freeze);
  }
}
