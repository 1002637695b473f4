package dev.shipshape.janitor.prune;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The file of intents beside the file of records: a line before each request to delete, and a line
 * after its record. It is held by one process at a time, and emptied when nothing is open in it.
 */
final class Intents implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final FileChannel channel;
  private final Map<String, Intent> open;

  private Intents(FileChannel channel, Map<String, Intent> open) {
    this.channel = channel;
    this.open = open;
  }

  /**
   * Opens the file, and makes it where it is not there.
   *
   * @throws IOException where it cannot be used, or another process holds it
   */
  static Intents open(Path file) throws IOException {
    var channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() == null) {
        throw new IOException("another process holds " + file);
      }
      // A last line that was cut off is no intent: nothing had been sent for it.
      var whole = wholeLines(Files.readAllBytes(file));
      channel.truncate(whole.length).position(whole.length);
      return new Intents(channel, read(new String(whole, UTF_8)));
    } catch (OverlappingFileLockException e) {
      channel.close();
      throw new IOException("another part of this process holds " + file, e);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** On the disk when this returns. */
  void begin(Intent intent) throws IOException {
    var line = JsonNodeFactory.instance.objectNode().put("at", intent.at().toString());
    line.put("run", intent.run());
    switch (intent) {
      case Intent.OfSession session -> line.set("begins", SavedEntry.write(session.entry()));
      case Intent.OfJob job -> line.set("removes", write(job.job()));
    }
    append(line);
    channel.force(false);
    open.put(intent.key(), intent);
  }

  /**
   * Need not be on the disk: what is open without need is found to be recorded.
   *
   * @param run that has begun it; what another run has begun is left open
   */
  void end(String key, String run) throws IOException {
    var intent = open.get(key);
    if (intent == null || !intent.run().equals(run)) {
      return;
    }
    open.remove(key);
    if (open.isEmpty()) {
      channel.truncate(0);
      channel.position(0);
    } else {
      append(JsonNodeFactory.instance.objectNode().put("ends", key));
    }
  }

  List<Intent> open() {
    return List.copyOf(open.values());
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  private void append(JsonNode line) throws IOException {
    var begin = channel.position();
    try {
      var buffer = ByteBuffer.wrap((line + "\n").getBytes(UTF_8));
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (IOException e) {
      channel.truncate(begin).position(begin);
      throw e;
    }
  }

  private static byte[] wholeLines(byte[] bytes) {
    var end = bytes.length;
    while (end > 0 && bytes[end - 1] != '\n') {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }

  private static Map<String, Intent> read(String text) throws IOException {
    var open = new LinkedHashMap<String, Intent>();
    for (var line : text.lines().toList()) {
      try {
        var node = MAPPER.readTree(line);
        if (node.has("ends")) {
          open.remove(node.path("ends").asText());
        } else {
          var intent = intent(node);
          open.put(intent.key(), intent);
        }
      } catch (JsonProcessingException | IllegalArgumentException | DateTimeException e) {
        throw new IOException("not an intent: " + line, e);
      }
    }
    return open;
  }

  private static Intent intent(JsonNode node) {
    var run = node.path("run").asText();
    var at = Instant.parse(node.path("at").asText());
    return node.has("removes")
        ? new Intent.OfJob(run, at, job(node.path("removes")))
        : new Intent.OfSession(run, at, SavedEntry.read(node.path("begins")));
  }

  private static JsonNode write(LeakedJob job) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("namespace", job.namespace())
        .put("name", job.name())
        .put("uid", job.uid())
        .put("session", job.session())
        .put("age", job.age().toString());
  }

  private static LeakedJob job(JsonNode node) {
    return new LeakedJob(
        node.path("namespace").asText(),
        node.path("name").asText(),
        node.path("uid").asText(),
        node.path("session").asText(),
        Duration.parse(node.path("age").asText()));
  }
}
