package dev.shipshape.audit;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;

/** A log cannot be read; the message names it. */
public final class UnreadableLog extends IOException {
  private static final long serialVersionUID = 1;

  UnreadableLog(String log, IOException cause) {
    super("could not read %s: %s".formatted(log, reason(cause)), cause);
  }

  /** Some of the JDK's messages are only the file's name. */
  public static String reason(IOException failure) {
    return switch (failure) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException _ -> "permission denied";
      case EOFException _ -> "it ends too early";
      case FileSystemLoopException _ -> "it links to a folder that it is in";
      default -> String.valueOf(failure.getMessage());
    };
  }
}
