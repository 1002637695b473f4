package dev.shipshape.sandbox;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
      Files.createDirectories(
          absolute,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      try (var content = Files.list(absolute)) {
        if (content.findAny().isPresent()) {
          throw new SandboxException(
              "%s is not empty: name an empty or a new folder for the control plane"
                  .formatted(absolute));
        }
      }
      return new StateFolder(absolute, false);
    } catch (IOException e) {
      throw new SandboxException("could not create the folder " + absolute, e);
    }
  }

  Path file(String name) {
    return path.resolve(name);
  }

  /** Writes a file that only this user may read. */
  Path write(String name, String text) {
    var file = file(name);
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      return Files.writeString(file, text, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new SandboxException("could not write " + file, e);
    }
  }

  /** Removes a disposable folder with all that is in it. */
  void removeIfDisposable() {
    if (!disposable) {
      return;
    }
    try (var content = Files.walk(path)) {
      content.sorted(Comparator.reverseOrder()).forEach(StateFolder::remove);
    } catch (IOException | UncheckedIOException e) {
      throw new SandboxException("could not remove %s; remove it by hand".formatted(path), e);
    }
  }

  private static void remove(Path path) {
    try {
      Files.delete(path);
    } catch (NoSuchFileException ignored) {
      // Gone is what it should be.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
