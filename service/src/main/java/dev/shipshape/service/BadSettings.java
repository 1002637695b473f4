package dev.shipshape.service;

import java.util.List;

/** A settings file that cannot be used, with everything that is wrong in it. */
public final class BadSettings extends Exception {
  private static final long serialVersionUID = 1L;

  /**
   * With every mistake.
   *
   * @param problems a line each; not empty
   */
  public BadSettings(List<String> problems) {
    super(String.join("\n", problems));
  }

  /** One line a mistake, as by its reader {@code file:line: field: what is wrong}; never empty. */
  public List<String> problems() {
    return String.valueOf(getMessage()).lines().toList();
  }
}
