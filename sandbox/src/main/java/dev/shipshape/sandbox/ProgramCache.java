package dev.shipshape.sandbox;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where programs stay that were downloaded or built: a folder for each version, which is moved
 * there when it is complete.
 *
 * @param root the folder of all versions
 */
record ProgramCache(Path root, KubernetesRelease release, GoBuild build) {
  /** A file lock keeps processes apart, but not the threads of one. */
  private static final Object THREADS = new Object();

  static ProgramCache standard(Map<String, String> environment) {
    var named = environment.getOrDefault("XDG_CACHE_HOME", "");
    var caches =
        named.isEmpty() ? Path.of(System.getProperty("user.home"), ".cache") : Path.of(named);
    return new ProgramCache(
        caches.resolve("shipshape/kubernetes"), KubernetesRelease.official(), GoBuild.standard());
  }

  /** Programs of the cache; gets them first where there are none. */
  Programs find(Progress progress) {
    return cached().orElseGet(() -> getAlone(progress));
  }

  private Optional<Programs> cached() {
    return Stream.of(release.version(), build.version())
        .map(this::programs)
        .filter(Programs::isComplete)
        .findFirst();
  }

  private Programs programs(String version) {
    return new Programs(root.resolve("v" + version));
  }

  /** While one process gets them, others wait, and then find them in the cache. */
  private Programs getAlone(Progress progress) {
    synchronized (THREADS) {
      try (var channel = openLock();
          var _ = lock(channel, progress)) {
        return cached().orElseGet(() -> get(progress));
      } catch (IOException e) {
        throw new SandboxException("could not lock the cache " + root, e);
      }
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
    progress.report("waiting for another process that is getting the Kubernetes programs");
    return channel.lock();
  }

  private Programs get(Progress progress) {
    var incomplete = root.resolve("incomplete");
    try {
      release.get(StateFolder.empty(incomplete), progress);
      return keep(incomplete, release.version());
    } catch (SandboxException noRelease) {
      progress.report("the official release: %s".formatted(noRelease.getMessage()));
      try {
        build.get(StateFolder.empty(incomplete), progress);
        return keep(incomplete, build.version());
      } catch (SandboxException noBuild) {
        throw nothingWorked(noRelease, noBuild);
      }
    } finally {
      StateFolder.remove(incomplete);
    }
  }

  private Programs keep(Path incomplete, String version) {
    var programs = programs(version);
    StateFolder.remove(programs.folder());
    try {
      Files.move(incomplete, programs.folder(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new SandboxException("could not write " + programs.folder(), e);
    }
    return programs;
  }

  private SandboxException nothingWorked(SandboxException noRelease, SandboxException noBuild) {
    var failure =
        new SandboxException(
            """
            there are no Kubernetes programs. Tried:
            - a named folder: %s are not set
            - the cache: not all are in %s
            - the official release %s: %s
            - a build of %s with Go: %s
            Do one of these: let SHIPSHAPE_KUBE_BIN name a folder with etcd, kube-apiserver and \
            kube-controller-manager; install Go 1.26 or newer; or give access to the release.\
            """
                .formatted(
                    String.join(" and ", Programs.FOLDER_VARIABLES),
                    root,
                    release.version(),
                    noRelease.getMessage(),
                    build.version(),
                    noBuild.getMessage()),
            noRelease);
    failure.addSuppressed(noBuild);
    return failure;
  }
}
