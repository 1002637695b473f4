package dev.shipshape.webhook.identity;

import com.fasterxml.jackson.core.JsonPointer;

/**
 * A place of an object where what is hashed is not what is written.
 *
 * @param at the place in the object as it is written; of a default, where the field would be
 * @param meaning what is hashed instead, by the kind; never a secret
 */
public record Normalisation(JsonPointer at, Kind kind, String meaning) {
  /** What is done there. */
  public enum Kind {
    /** The field is no part of the identity. */
    IGNORED,
    /** The field is a secret, and in no hash. */
    SECRET,
    /** The value means the same as no field. */
    ABSENT,
    /** No field, or one that means the same: the meaning is the default, JSON. */
    DEFAULT,
    /** The meaning is the one spelling of this text or number. */
    SPELLING,
    /** The meaning is in which order the elements count, by their index from 0. */
    ORDER
  }

  Normalisation below(JsonPointer parent) {
    return new Normalisation(parent.append(at), kind, meaning);
  }
}
