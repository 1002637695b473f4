package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One thing that normalising does at one place of the content. */
public sealed interface Rule {
  /** The place. */
  FieldPath path();

  /** The field is no part of the identity. */
  record Drop(FieldPath path) implements Rule {}

  /** The field holds a secret: in no hash, lest a weak one be guessed from it. */
  record Secret(FieldPath path) implements Rule {}

  /** Where the field is absent, this is what it means. */
  record Default(FieldPath path, JsonNode value) implements Rule {}

  /** This value means the same as the field's absence. */
  record SameAsAbsent(FieldPath path, JsonNode value) implements Rule {}

  /** The text at this place has several spellings. */
  record Spelled(FieldPath path, TextFormat spelling) implements Rule {}

  /**
   * The elements at this place are in the order of a number that each may carry.
   *
   * @param field the number's field
   * @param absent what stands for an absent number
   */
  record Sequence(FieldPath path, String field, AbsentNumber absent) implements Rule {}

  /** What an element without a (positive) sequence number is taken to have. */
  enum AbsentNumber {
    /** Its position in the list, counted from 1. */
    POSITION,
    /** Nothing, and it goes before those that have one. */
    ZERO
  }

  /**
   * The order of the elements at this place means nothing.
   *
   * @param keys the fields to sort by, the first one first, ties keeping their order; none: by the
   *     whole value, which must be a scalar
   * @param agreeing sort only if elements with an equal first key agree on this field, because
   *     otherwise the first of them wins
   */
  record Sorted(FieldPath path, List<String> keys, @Nullable String agreeing) implements Rule {
    public Sorted {
      keys = List.copyOf(keys);
    }
  }
}
