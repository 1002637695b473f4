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
 * @param disposable whether it goes when the control plane does
 */
record StateFolder(Path path, boolean disposable) {

  static StateFolder temporary() {
    try {
      // Java creates it with rwx for the owner alone.
      return new StateFolder(Files.createTempDirectory("shipshape-sandbox-"), true);
    } catch (IOException e) {
      throw new SandboxException("could not create a folder for the control plane", e);
    }
  }

  /**
   * A folder that stays.
   *
   * @throws SandboxException when there is something in it: another control plane's, maybe
   */
  static StateFolder kept(Path path) {
    var absolute = path.toAbsolutePath();
    try {
      Files.createDirectories(absolute);
      try (var content = Files.list(absolute)) {
        if (content.findAny().isPresent()) {
          throw new SandboxException(
              "%s is not empty: name an empty or a new folder for the control plane"
                  .formatted(absolute));
        }
      }
      Files.setPosixFilePermissions(absolute, PosixFilePermissions.fromString("rwx------"));
      return new StateFolder(absolute, false);
    } catch (IOException e) {
      throw new SandboxException("could not create the folder " + absolute, e);
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

  /** Removes a disposable folder with all that is in it. */
  void removeIfDisposable() {
    if (disposable) {
      remove(path);
    }
  }

  /** Makes a folder, or empties it. */
  static Path empty(Path folder) {
    remove(folder);
    try {
      return Files.createDirectories(folder);
    } catch (IOException e) {
      throw new SandboxException("could not create the folder " + folder, e);
    }
  }

  /** Removes a file, or a folder with all that is in it. */
  static void remove(Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (var content = Files.walk(path)) {
      for (var each : content.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException | UncheckedIOException e) {
      throw new SandboxException("could not remove %s; remove it by hand".formatted(path), e);
    }
  }
}
