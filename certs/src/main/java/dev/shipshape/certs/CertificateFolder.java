package dev.shipshape.certs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;

/**
 * A certificate in a folder: {@code tls.crt}, {@code tls.key} and {@code ca.crt}, as a mounted
 * Secret of cert-manager has them. Each look reads all three again and compares contents, because
 * the kubelet swaps a symbolic link that no file watch survives.
 */
public final class CertificateFolder implements CertificateSource {
  /** The kubelet's link to the newest content; all three files are reached through it. */
  private static final String DATA = "..data";

  private final Path folder;
  private final LoadedCertificate loaded;

  /** Reads the folder for the first time; what is wrong is said by {@link #notReadyReason}. */
  public CertificateFolder(Path folder, InstantSource clock) {
    this.folder = folder;
    this.loaded = new LoadedCertificate("the folder " + folder, clock);
    refresh();
  }

  /** Reads the folder again. */
  public void refresh() {
    try {
      var content = content();
      loaded.offer(
          Files.readString(content.resolve("tls.crt")),
          Files.readString(content.resolve("tls.key")),
          Files.readString(content.resolve("ca.crt")));
    } catch (NoSuchFileException e) {
      loaded.absent("there is no " + e.getFile());
    } catch (IOException e) {
      loaded.absent("it could not be read: " + e);
    }
  }

  /** One content for all three files, even if the link is swapped between two of them. */
  private Path content() throws IOException {
    var data = folder.resolve(DATA);
    return Files.exists(data) ? data.toRealPath() : folder;
  }

  @Override
  public ServingCertificate current() {
    return loaded.current();
  }

  @Override
  public Optional<String> notReadyReason() {
    return loaded.notReadyReason();
  }

  @Override
  public long refusals() {
    return loaded.refusals();
  }
}
