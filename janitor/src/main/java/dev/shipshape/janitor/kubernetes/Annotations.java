package dev.shipshape.janitor.kubernetes;

import org.jspecify.annotations.Nullable;

/** What a person asks for by an annotation or a tag. */
public final class Annotations {
  private Annotations() {}

  /**
   * Whether it is there and says anything but {@code false}: {@code True}, {@code yes} and nothing
   * at all are meant too, and who keeps too much does less harm.
   *
   * @param value null where there is none
   */
  public static boolean isSet(@Nullable String value) {
    return value != null && !value.equalsIgnoreCase("false");
  }
}
