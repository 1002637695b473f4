package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.kubernetes.PodLog;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.SessionStore;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps sessions before they are deleted: a zip file for each, named by time, session and content,
 * with {@code session.yaml} and {@code POD.CONTAINER.log} for each container of its pods.
 */
public final class SessionArchive {
  private static final Logger logger = LoggerFactory.getLogger(SessionArchive.class);

  private static final String SESSION = "session.yaml";

  /** For one log. */
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** By it, names sort by age. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** What a process was writing when it was killed is told by it. */
  private static final String WRITING = ".shipshape-";

  /** What is removed to make room is nothing but what was kept here before. */
  private static final Pattern NAME = Pattern.compile("\\d{8}T\\d{6}\\.\\d{3}Z-.*\\.zip");

  private final Path folder;
  private final long mostBytes;
  private final KubernetesClient client;
  private final String namespace;
  private final InstantSource clock;

  /** What is kept, by name, with its size in bytes; null until it was looked for. */
  private @Nullable NavigableMap<String, Long> kept;

  /**
   * @param mostBytes for all that is kept; the oldest goes first
   * @param namespace where the sessions' pods are
   */
  public SessionArchive(
      Path folder, long mostBytes, KubernetesClient client, String namespace, InstantSource clock) {
    this.folder = folder;
    this.mostBytes = mostBytes;
    this.client = client;
    this.namespace = namespace;
    this.clock = clock;
  }

  /**
   * Keeps a session with the logs of its pods. One that is gone by now leaves nothing to keep.
   *
   * @param pods their names
   * @throws IOException where not all of it can be kept; then none of it is
   * @throws io.fabric8.kubernetes.client.KubernetesClientException where it cannot be read
   */
  void keep(SessionStore store, Session session, Collection<String> pods) throws IOException {
    var document = store.document(session);
    if (document.isEmpty()) {
      return;
    }
    Files.createDirectories(folder);
    var text = Serialization.asYaml(document.get());
    var end = end(session, text);
    if (isKept(end)) {
      return;
    }
    var writing = Files.createTempFile(folder, WRITING, ".zip");
    try {
      write(writing, text, pods);
      keep(writing, TIME.format(clock.instant()) + end);
    } finally {
      Files.deleteIfExists(writing);
    }
  }

  /** Whether it is kept just as it is: one whose deletion fails again and again is kept once. */
  private synchronized boolean isKept(String end) throws IOException {
    return kept().keySet().stream().anyMatch(name -> name.endsWith(end));
  }

  /** What follows the time in a name: the session, and by what it says. */
  private static String end(Session session, String document) {
    var name = URLEncoder.encode(session.name(), StandardCharsets.UTF_8);
    return "-%s-%08x.zip".formatted(name, document.hashCode());
  }

  private void write(Path writing, String document, Collection<String> pods) throws IOException {
    try (var file = new FileOutputStream(writing.toFile());
        var zip = new ZipOutputStream(file)) {
      zip.putNextEntry(new ZipEntry(SESSION));
      zip.write(document.getBytes(StandardCharsets.UTF_8));
      for (var name : pods) {
        var pod = client.pods().inNamespace(namespace).withName(name).get();
        if (pod != null) {
          for (var container : containers(pod).toList()) {
            writeLog(new PodLog(client, namespace, name, container, TIMEOUT), zip);
            requireRoom(writing);
          }
        }
      }
      zip.finish();
      requireRoom(writing);
      // What it is kept for is gone for good soon after.
      file.getFD().sync();
    }
  }

  /** The kubelet rotates logs, so none of them is much larger than its limit, 10 MiB by default. */
  private void requireRoom(Path writing) throws IOException {
    if (Files.size(writing) > mostBytes) {
      throw new IOException("with its logs it is larger than prune.archive.maxMebibytes allows");
    }
  }

  private static Stream<String> containers(Pod pod) {
    var spec = pod.getSpec();
    return Stream.concat(spec.getInitContainers().stream(), spec.getContainers().stream())
        .map(Container::getName);
  }

  private static void writeLog(PodLog log, ZipOutputStream zip) throws IOException {
    var code =
        log.read(
            "",
            lines -> {
              zip.putNextEntry(new ZipEntry("%s.%s.log".formatted(log.pod(), log.container())));
              lines.transferTo(zip);
            });
    // 400: it has not started, so it has no log; 404: it is gone, and its log with it.
    if (code != 200 && code != 400 && code != 404) {
      throw new IOException("%s was answered %d".formatted(log, code));
    }
  }

  private synchronized void keep(Path writing, String name) throws IOException {
    var known = kept();
    var size = Files.size(writing);
    var total = known.values().stream().mapToLong(Long::longValue).sum() + size;
    while (total > mostBytes && !known.isEmpty()) {
      var oldest = known.firstEntry();
      Files.deleteIfExists(folder.resolve(oldest.getKey()));
      known.remove(oldest.getKey());
      total -= oldest.getValue();
      logger.info("archive: removed {}, to keep to {} bytes", oldest.getKey(), mostBytes);
    }
    Files.move(writing, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    known.put(name, size);
  }

  /** Looked for once, before anything is written: what was being written then is nobody's. */
  private synchronized NavigableMap<String, Long> kept() throws IOException {
    if (kept != null) {
      return kept;
    }
    var found = new TreeMap<String, Long>();
    try (DirectoryStream<Path> each = Files.newDirectoryStream(folder)) {
      for (var path : each) {
        var name = path.getFileName().toString();
        if (NAME.matcher(name).matches()) {
          found.put(name, Files.size(path));
        } else if (name.startsWith(WRITING)) {
          Files.delete(path);
        }
      }
    }
    kept = found;
    return found;
  }
}
