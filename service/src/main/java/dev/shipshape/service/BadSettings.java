package dev.shipshape.service;

import java.util.List;

/** All mistakes of an invalid settings file. */
public final class BadSettings extends Exception {
  private static final long serialVersionUID = 1L;

  /** Takes the problems, one line each and at least one. */
  public BadSettings(List<String> problems) {
    super(String.join("\n", problems));
  }

  /** One line for each mistake: {@code file:line: field: message}; never empty. */
  public List<String> problems() {
    return String.valueOf(getMessage()).lines().toList();
  }
}
