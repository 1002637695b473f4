package dev.shipshape.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;

/**
 * Where one control plane keeps its data, keys and logs; open to this user only.
 *
 * @param path an absolute path
 */
record StateFolder(Path path) {

  static StateFolder temporary() {
    try {
      // Java creates it with rwx for the owner alone.
      return new StateFolder(Files.createTempDirectory("shipshape-sandbox-"));
    } catch (IOException e) {
      throw new SandboxException("could not create a folder for the control plane", e);
    }
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Writes a file that only this user may read, as Helm wants a kubeconfig to be. */
  Path write(String name, String text) {
    try {
      var mode = PosixFilePermissions.fromString("rw-------");
      Files.createFile(file(name), PosixFilePermissions.asFileAttribute(mode));
      return Files.writeString(file(name), text);
    } catch (IOException e) {
      throw new SandboxException("could not write " + file(name), e);
    }
  }

  /** Removes it with all that is in it. */
  void remove() {
    try (var content = Files.walk(path)) {
      for (var each : content.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new SandboxException("could not remove %s; remove it by hand".formatted(path), e);
    }
  }
}
