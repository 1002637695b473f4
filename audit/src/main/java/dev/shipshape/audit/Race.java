package dev.shipshape.audit;

import java.util.List;

/**
 * Requests that conflict.
 *
 * @param actors in the order of their first request
 * @param summary one sentence: what happened to which object
 * @param evidence the requests that prove it, in their order
 */
public record Race(
    Kind kind, ObjectRef object, List<String> actors, String summary, List<AuditEvent> evidence) {
  /** The names are values of {@code --allow}. */
  public enum Kind {
    /** Dependents of a deleted owner were taken over before they were gone. */
    TAKE_OVER,
    /** A name was created again while pods of its former life still ran. */
    RECREATED,
    /** An object was deleted while a pod that had not started needed it. */
    VANISHED,
    /** Two writers set one field back and forth. */
    FIGHT,
    /** A write was refused with 409, because another had won. */
    LOST_UPDATE,
    /** Writes that changed nothing. */
    NO_OP
  }
}
