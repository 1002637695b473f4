package dev.shipshape.audit;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;

/** Failures in words. */
final class Failures {
  private Failures() {}

  /** The JDK's messages for some have the file's name only. */
  static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "permission denied";
      case EOFException _ -> "it ends too early";
      default -> String.valueOf(failure.getMessage());
    };
  }
}
