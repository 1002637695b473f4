package dev.shipshape.audit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * A file that grows. It has no end: after a rotation, reading continues in the new file once the
 * old one is read. It ends when its thread is interrupted.
 */
final class FollowedFile extends InputStream {
  private static final long POLL_INTERVAL_MILLIS = 100;

  private final Path path;
  private final boolean isPipe;
  private FileChannel file;
  private Object key;

  FollowedFile(Path path) throws IOException {
    this.path = path;
    isPipe = !Files.isRegularFile(path);
    file = FileChannel.open(path);
    key = key(path);
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    while (true) {
      var count = file.read(ByteBuffer.wrap(bytes, from, length));
      if (count > 0 || isPipe) {
        return count;
      }
      if (!renewed()) {
        try {
          Thread.sleep(POLL_INTERVAL_MILLIS);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return -1;
        }
      }
    }
  }

  /** Whether another file has taken its place, or it was truncated. */
  private boolean renewed() throws IOException {
    if (file.position() > file.size()) {
      file.position(0);
      return true;
    }
    try {
      var now = key(path);
      if (now.equals(key)) {
        return false;
      }
      if (file.position() < file.size()) {
        // Written before the file was replaced.
        return true;
      }
      var next = FileChannel.open(path);
      file.close();
      file = next;
      key = now;
      return true;
    } catch (NoSuchFileException e) {
      // Renamed; the new file does not exist yet.
      return false;
    }
  }

  private static Object key(Path path) throws IOException {
    var attributes = Files.readAttributes(path, BasicFileAttributes.class);
    // A file system without file keys: creation times identify the files.
    return Objects.requireNonNullElseGet(attributes.fileKey(), attributes::creationTime);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
