package dev.shipshape.janitor.kubernetes;

import org.jspecify.annotations.Nullable;

/** Reads flags that a person sets as annotation, label or tag. */
public final class Annotations {
  private Annotations() {}

  /**
   * Checks whether a flag is set: it exists and is not {@code false}. {@code True}, {@code yes} and
   * the empty value count as set: to keep an object by mistake does less harm than to delete it.
   *
   * @param value null if it does not exist
   */
  public static boolean isSet(@Nullable String value) {
    return value != null && !value.equalsIgnoreCase("false");
  }
}
