package dev.shipshape.audit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A key in the event's JSON that leads to a field, or is one. */
final class Member {
  static final Member EVENT = new Member("", List.of(Field.values()), 0);

  static final @Nullable Member USER = EVENT.child("user".getBytes(StandardCharsets.UTF_8), 0, 4);

  final byte[] key;
  final @Nullable Field field;

  /** By key length, which rules out nearly all keys. */
  private final Member[][] children;

  private Member(String key, List<Field> fields, int depth) {
    this.key = key.getBytes(StandardCharsets.UTF_8);
    var isField = fields.getFirst().path().size() == depth;
    field = isField ? fields.getFirst() : null;
    var below =
        fields.stream()
            .filter(_ -> !isField)
            .collect(Collectors.groupingBy(each -> each.path().get(depth)));
    var longest = below.keySet().stream().mapToInt(String::length).max().orElse(0);
    children = new Member[longest + 1][];
    Arrays.setAll(
        children,
        length ->
            below.entrySet().stream()
                .filter(each -> each.getKey().length() == length)
                .map(each -> new Member(each.getKey(), each.getValue(), depth + 1))
                .toArray(Member[]::new));
  }

  /** Returns the child with these bytes as its key; null if there is none. */
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
}
