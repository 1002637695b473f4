package dev.shipshape.audit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A member of the event's JSON on the way to a field, or the field itself. */
final class Member {
  /** The event, with all that is looked for below it. */
  static final Member EVENT = new Member("", List.of(Field.values()), 0);

  final byte[] key;
  final @Nullable Field field;

  /** By the length of their keys, as nearly all keys are ruled out by it. */
  private final Member[][] children;

  /** The member at this depth of the fields' paths. */
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
}
