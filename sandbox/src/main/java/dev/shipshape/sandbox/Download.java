package dev.shipshape.sandbox;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;

/** Gets one archive over HTTP, and checks it. */
final class Download {
  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int BUFFER = 128 * 1024;
  private static final int REPORT_EVERY_PERCENT = 10;

  private final ReleaseArchive archive;
  private final Progress progress;
  private final MessageDigest digest;

  private Download(ReleaseArchive archive, Progress progress) {
    this.archive = archive;
    this.progress = progress;
    try {
      digest = MessageDigest.getInstance(archive.algorithm());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256 and SHA-512", e);
    }
  }

  /**
   * Downloads an archive.
   *
   * @param folder where it is written; removed by the caller, with all that a failure leaves there
   * @return the file, whose checksum is right
   */
  static Path verified(ReleaseArchive archive, Path folder, Progress progress) {
    var download = new Download(archive, progress);
    var file = folder.resolve(archive.fileName());
    download.into(file);
    download.verify();
    return file;
  }

  private void into(Path file) {
    progress.report("downloading " + archive.address());
    var request = HttpRequest.newBuilder(archive.address()).timeout(TIMEOUT).build();
    try (var client =
            HttpClient.newBuilder()
                .connectTimeout(TIMEOUT)
                .followRedirects(HttpClient.Redirect.NORMAL)
                .build();
        var target = Files.newOutputStream(file)) {
      var answer = client.send(request, BodyHandlers.ofInputStream());
      try (var body = answer.body()) {
        requireOk(answer);
        copy(body, target, answer.headers().firstValueAsLong("Content-Length").orElse(-1));
      }
    } catch (IOException e) {
      throw new SandboxException("could not download %s: %s".formatted(archive.address(), e), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new SandboxException("interrupted while downloading " + archive.address(), e);
    }
  }

  private static void requireOk(HttpResponse<?> answer) throws IOException {
    if (answer.statusCode() != 200) {
      throw new IOException("the server answered " + answer.statusCode());
    }
  }

  /**
   * @param size of the whole, in bytes; less than 1 where it is unknown
   */
  private void copy(InputStream body, OutputStream target, long size) throws IOException {
    var buffer = new byte[BUFFER];
    var done = 0L;
    var reported = 0L;
    for (var read = body.read(buffer); read >= 0; read = body.read(buffer)) {
      target.write(buffer, 0, read);
      digest.update(buffer, 0, read);
      done += read;
      var percent = size < 1 ? 0 : done * 100 / size;
      if (percent >= reported + REPORT_EVERY_PERCENT) {
        reported = percent;
        progress.report("downloading %s: %d %%".formatted(archive.fileName(), percent));
      }
    }
  }

  private void verify() {
    var actual = HexFormat.of().formatHex(digest.digest());
    if (!actual.equals(archive.checksum())) {
      throw new SandboxException(
          "%s is not what was released, and was thrown away: its %s is %s, not %s"
              .formatted(archive.address(), archive.algorithm(), actual, archive.checksum()));
    }
  }
}
