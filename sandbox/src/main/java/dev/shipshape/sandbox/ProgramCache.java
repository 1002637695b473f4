package dev.shipshape.sandbox;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Where programs stay that were downloaded or built: a folder for each version. What is in one is
 * complete, as it was moved there in one step.
 *
 * @param root the folder of all versions
 */
record ProgramCache(Path root) {
  /** A file lock keeps processes apart, but not the threads of one. */
  private static final ReentrantLock THREADS = new ReentrantLock();

  private static final String WAITING =
      "waiting for another process that is getting the Kubernetes programs";

  static ProgramCache of(Map<String, String> environment) {
    var named = environment.getOrDefault("XDG_CACHE_HOME", "");
    var caches =
        named.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(named);
    return new ProgramCache(caches.resolve("shipshape").resolve("kubernetes"));
  }

  Programs programs(String version) {
    return new Programs(root.resolve("v" + version));
  }

  /** Runs something while no other process on this machine does so, on this cache. */
  <T> T alone(Progress progress, Supplier<T> work) {
    if (!THREADS.tryLock()) {
      progress.report(WAITING);
      THREADS.lock();
    }
    try (var channel = openLock();
        var _ = lock(channel, progress)) {
      return work.get();
    } catch (IOException e) {
      throw new SandboxException("could not lock the cache " + root, e);
    } finally {
      THREADS.unlock();
    }
  }

  private FileChannel openLock() throws IOException {
    Files.createDirectories(root);
    return FileChannel.open(
        root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static FileLock lock(FileChannel channel, Progress progress) throws IOException {
    var lock = channel.tryLock();
    if (lock != null) {
      return lock;
    }
    progress.report(WAITING);
    return channel.lock();
  }

  /**
   * Gets missing programs from a source; call it {@link #alone}. What is incomplete lies in a
   * folder of its own, which is removed before and after: a process that was killed may have left
   * one.
   */
  Programs fill(ProgramSource source, Set<Program> missing, Progress progress) {
    var programs = programs(source.version());
    var workshop = root.resolve("incomplete");
    try {
      remove(workshop);
      Files.createDirectories(workshop);
      Files.createDirectories(programs.folder());
      try {
        source.get(missing, programs.folder(), workshop, progress);
      } finally {
        remove(workshop);
      }
      return programs;
    } catch (IOException e) {
      throw new SandboxException("could not write to the cache " + root, e);
    }
  }

  private static void remove(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    try (var content = Files.walk(folder)) {
      for (var path : content.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
