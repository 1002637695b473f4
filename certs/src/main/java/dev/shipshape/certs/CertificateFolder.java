package dev.shipshape.certs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * A certificate in a folder: {@code tls.crt}, {@code tls.key} and {@code ca.crt}, as in a mounted
 * Secret of cert-manager. Each refresh reads all three files, because a file watch does not survive
 * the kubelet's swap of a symbolic link. If the swap happens during the reading, the files do not
 * match, and are refused until the next refresh.
 */
public final class CertificateFolder extends LoadedCertificate {
  private final Path folder;

  /**
   * Reads the folder for the first time; {@link #notReadyReason} has the mistake, if any.
   *
   * @param name that the certificate must have; empty if any will do
   */
  public CertificateFolder(Path folder, String name, InstantSource clock) {
    super("the folder " + folder, name, clock);
    this.folder = folder;
    refresh();
  }

  public void refresh() {
    try {
      offer(
          Files.readString(folder.resolve("tls.crt")),
          Files.readString(folder.resolve("tls.key")),
          Files.readString(folder.resolve("ca.crt")));
    } catch (NoSuchFileException e) {
      refuse("there is no " + e.getFile());
    } catch (IOException e) {
      refuse("it could not be read: " + e);
    }
  }
}
