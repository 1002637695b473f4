package dev.shipshape.janitor.session;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What authorises calls to the CFS service. Never logged. */
@FunctionalInterface
public interface BearerToken {
  /** Calls go without. */
  BearerToken NONE = Optional::empty;

  /** One in a file, as a mounted Secret has it; read before each call, for it may be renewed. */
  static BearerToken inFile(Path file) {
    return () -> Optional.of(Files.readString(file).strip());
  }

  /**
   * The token to send now.
   *
   * @throws IOException where there should be one and none can be had
   */
  Optional<String> get() throws IOException;
}
