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
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
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
 * Stores sessions before their deletion: one zip file each, named by time, session and hash of the
 * content, with {@code session.yaml}, and {@code POD.CONTAINER.log} for each container of its pods.
 */
public final class SessionArchive {
  private static final Logger logger = LoggerFactory.getLogger(SessionArchive.class);

  private static final String SESSION = "session.yaml";

  /** With this, the kubelet answers 200 if the container runtime does not give the log. */
  private static final String NO_LOG = "unable to retrieve container logs for ";

  /** For reading one log. */
  private static final Duration TIMEOUT = Duration.ofSeconds(20);

  /** Makes file names sort by age. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** The prefix of incomplete files, which a killed process leaves. */
  private static final String TEMPORARY = ".shipshape-";

  /** Archived files. Only these are removed to make room. */
  private static final Pattern NAME = Pattern.compile("\\d{8}T\\d{6}\\.\\d{3}Z-.*\\.zip");

  private final Path folder;
  private final long maxBytes;
  private final KubernetesClient client;
  private final String namespace;
  private final InstantSource clock;

  /** The size in bytes of each archived file, by name; null until a run has listed the folder. */
  private @Nullable NavigableMap<String, Long> sizes;

  /**
   * @param maxBytes the size of the whole folder; the oldest file is removed first
   */
  public SessionArchive(
      Path folder, long maxBytes, KubernetesClient client, String namespace, InstantSource clock) {
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.client = client;
    this.namespace = namespace;
    this.clock = clock;
  }

  /** Begins a run: the janitor that led meanwhile may have written to the same volume. */
  synchronized void begin() {
    sizes = null;
  }

  /**
   * Stores a session with the logs of its pods. Does nothing if the session is gone.
   *
   * @throws IOException if a part cannot be stored; then nothing is stored
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if the session cannot be read
   */
  void store(SessionStore store, Session session) throws IOException {
    var document = store.document(session);
    if (document.isEmpty()) {
      return;
    }
    Files.createDirectories(folder);
    var text = Serialization.asYaml(document.get());
    var suffix = suffix(session, text);
    if (isStored(suffix)) {
      return;
    }
    var temporary = Files.createTempFile(folder, TEMPORARY, ".zip");
    try {
      write(temporary, text, session);
      moveIntoPlace(temporary, TIME.format(clock.instant()) + suffix);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** Checks whether a session is stored unchanged: its deletion may have failed before. */
  private synchronized boolean isStored(String suffix) throws IOException {
    return sizes().keySet().stream().anyMatch(name -> name.endsWith(suffix));
  }

  /** The part of a file name after the time: the session, and a hash of its content. */
  private static String suffix(Session session, String document) {
    var name = URLEncoder.encode(session.name(), StandardCharsets.UTF_8);
    return "-%s-%08x.zip".formatted(name, document.hashCode());
  }

  private void write(Path temporary, String document, Session session) throws IOException {
    try (var file = new FileOutputStream(temporary.toFile());
        var zip = new ZipOutputStream(file)) {
      zip.putNextEntry(new ZipEntry(SESSION));
      zip.write(document.getBytes(StandardCharsets.UTF_8));
      for (var pod : new SessionJobs(client, namespace).pods(session)) {
        for (var container : containers(pod).toList()) {
          var name = pod.getMetadata().getName();
          writeLog(new PodLog(client, namespace, name, container, TIMEOUT), zip);
          checkSize(temporary);
        }
      }
      zip.finish();
      checkSize(temporary);
      // The session is deleted soon after.
      file.getFD().sync();
    }
  }

  /** Called after each log: the kubelet limits one log, to 10 MiB by default, by rotating it. */
  private void checkSize(Path temporary) throws IOException {
    if (Files.size(temporary) > maxBytes) {
      throw new IOException(
          "the session with its logs is larger than prune.archive.maxSize allows");
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
              var begin = lines.readNBytes(NO_LOG.length());
              if (new String(begin, StandardCharsets.UTF_8).equals(NO_LOG)) {
                // It may be lost for good: to wait for it would keep the session for ever.
                logger.warn("archive: {}: the container runtime does not give the log", log);
              }
              zip.putNextEntry(new ZipEntry("%s.%s.log".formatted(log.pod(), log.container())));
              zip.write(begin);
              lines.transferTo(zip);
            });
    // 400: the container has not started and has no log; 404: the pod is gone.
    if (code != 200 && code != 400 && code != 404) {
      throw new IOException("%s was answered %d".formatted(log, code));
    }
  }

  private synchronized void moveIntoPlace(Path temporary, String name) throws IOException {
    var known = sizes();
    var size = Files.size(temporary);
    var total = known.values().stream().mapToLong(Long::longValue).sum() + size;
    while (total > maxBytes && !known.isEmpty()) {
      var oldest = known.firstEntry();
      Files.deleteIfExists(folder.resolve(oldest.getKey()));
      known.remove(oldest.getKey());
      total -= oldest.getValue();
      logger.info("archive: removed {}: the limit is {} bytes", oldest.getKey(), maxBytes);
    }
    Files.move(temporary, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    known.put(name, size);
  }

  /** Lists the folder once a run, and deletes temporary files of killed processes. */
  private synchronized NavigableMap<String, Long> sizes() throws IOException {
    if (sizes != null) {
      return sizes;
    }
    var found = new TreeMap<String, Long>();
    try (DirectoryStream<Path> each = Files.newDirectoryStream(folder)) {
      for (var path : each) {
        var name = path.getFileName().toString();
        if (NAME.matcher(name).matches()) {
          found.put(name, Files.size(path));
        } else if (name.startsWith(TEMPORARY)) {
          Files.delete(path);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    sizes = found;
    return found;
  }
}
