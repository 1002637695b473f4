package dev.shipshape.audit;

import java.io.IOException;
import java.nio.file.Path;

/** Temporary files cannot be written. */
final class TemporaryFileFailure extends IOException {
  private static final long serialVersionUID = 1;

  TemporaryFileFailure(Path folder, IOException cause) {
    super(
        "could not write temporary files into %s (TMPDIR names another folder): %s"
            .formatted(folder, Failures.reason(cause)),
        cause);
  }
}
