package dev.shipshape.certs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * A certificate in a folder: {@code tls.crt}, {@code tls.key} and {@code ca.crt}, as a mounted
 * Secret of cert-manager has them. Each look reads all three again and compares contents, because
 * the kubelet swaps a symbolic link that no file watch survives. Three of which one is older do not
 * fit, and are refused until the next look.
 */
public final class CertificateFolder extends LoadedCertificate {
  private final Path folder;

  /** Reads the folder for the first time; what is wrong is said by {@link #notReadyReason}. */
  public CertificateFolder(Path folder, InstantSource clock) {
    super("the folder " + folder, clock);
    this.folder = folder;
    refresh();
  }

  /** Reads the folder again. */
  public void refresh() {
    try {
      offer(
          Files.readString(folder.resolve("tls.crt")),
          Files.readString(folder.resolve("tls.key")),
          Files.readString(folder.resolve("ca.crt")));
    } catch (NoSuchFileException e) {
      absent("there is no " + e.getFile());
    } catch (IOException e) {
      absent("it could not be read: " + e);
    }
  }
}
