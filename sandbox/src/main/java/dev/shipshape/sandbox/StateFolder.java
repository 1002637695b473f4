package dev.shipshape.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;

/**
 * A folder that only this user can read, for a control plane's data, keys and logs, or for a build.
 *
 * @param path an absolute path
 */
record StateFolder(Path path) {

  static StateFolder temporary() {
    try {
      // Java creates it with mode 0700.
      return new StateFolder(Files.createTempDirectory("shipshape-sandbox-"));
    } catch (IOException e) {
      throw new SandboxException(
          "could not create a folder in %s: %s".formatted(System.getProperty("java.io.tmpdir"), e),
          e);
    }
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Writes a file with mode 0600; Helm warns about a kubeconfig that others can read. */
  Path write(String name, String text) {
    try {
      var mode = PosixFilePermissions.fromString("rw-------");
      Files.createFile(file(name), PosixFilePermissions.asFileAttribute(mode));
      return Files.writeString(file(name), text);
    } catch (IOException e) {
      throw new SandboxException("could not write %s: %s".formatted(file(name), e), e);
    }
  }

  void remove() {
    try (var content = Files.walk(path)) {
      for (var each : content.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new SandboxException(
          "could not remove %s; remove it by hand: %s".formatted(path, e), e);
    }
  }
}
