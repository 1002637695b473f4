package dev.shipshape.janitor.prune;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records in a file, each on the disk before the next, and the intents beside it ({@code
 * FILE.intents}): whenever the process or the machine fails, each deletion has one record or an
 * intent to write it by.
 */
public final class FileJournal implements Journal {
  private static final Logger logger = LoggerFactory.getLogger(FileJournal.class);

  private final RecordFile records;
  private final Path intentFile;
  private final Journal lines;
  private final InstantSource clock;
  private @Nullable Intents intents;

  /** Records that are told, and that could not be written to the file yet, by their intents. */
  private final Map<String, String> unwritten = new LinkedHashMap<>();

  /**
   * Opens nothing yet: the first deletion does.
   *
   * @param mostBytes how large the file may grow
   * @param kept how many full files are kept beside it
   * @param lines takes each record too, after it is in the file
   */
  public FileJournal(Path file, long mostBytes, int kept, Journal lines, InstantSource clock) {
    this.records = new RecordFile(file, mostBytes, kept);
    this.intentFile = file.resolveSibling(file.getFileName() + ".intents");
    this.lines = lines;
    this.clock = clock;
  }

  @Override
  public synchronized void begin(Intent intent) {
    try {
      opened().begin(intent);
    } catch (IOException e) {
      throw cannotUse(e);
    }
  }

  /** A record that cannot be written to the file is told all the same, and written there later. */
  @Override
  public synchronized void record(String run, Deletion deletion) {
    var line = LineJournal.line(run, deletion, clock.instant());
    var toDisk = !(deletion.outcome() instanceof Outcome.NotTried);
    write(line, toDisk, Intent.key(deletion.entry().session()));
    lines.record(run, deletion);
  }

  @Override
  public synchronized void record(JobRemoval removal) {
    write(removal.line(clock.instant()), true, Intent.key(removal.job()));
    lines.record(removal);
  }

  private void write(String line, boolean toDisk, String intent) {
    try {
      records.append(line, toDisk);
    } catch (IOException e) {
      logger.error("could not write to {}, but will: {}", records.file(), e.toString());
      unwritten.put(intent, line);
      return;
    }
    try {
      opened().end(intent);
    } catch (IOException e) {
      logger.error("could not write to {}: {}", intentFile, e.toString());
    }
  }

  /** Writes what could not be written before; until that is done, nothing more is deleted. */
  private void catchUp() throws IOException {
    for (var intent : List.copyOf(unwritten.keySet())) {
      records.append(Objects.requireNonNull(unwritten.get(intent)), true);
      unwritten.remove(intent);
      opened().end(intent);
    }
  }

  @Override
  public synchronized List<Intent> unfinished() {
    try {
      catchUp();
      var unfinished = new ArrayList<Intent>();
      for (var intent : opened().open()) {
        if (isRecorded(intent)) {
          opened().end(intent.key());
        } else {
          unfinished.add(intent);
        }
      }
      return unfinished;
    } catch (IOException e) {
      throw cannotUse(e);
    }
  }

  @Override
  public synchronized void forget(Intent intent) {
    try {
      opened().end(intent.key());
    } catch (IOException e) {
      throw cannotUse(e);
    }
  }

  @Override
  public synchronized void close() {
    try {
      catchUp();
    } catch (IOException e) {
      logger.error("{} lacks {} records: {}", records.file(), unwritten.size(), e.toString());
    }
    try {
      if (intents != null) {
        intents.close();
      }
    } catch (IOException e) {
      logger.warn("could not close {}: {}", intentFile, e.toString());
    }
    intents = null;
  }

  private Intents opened() throws IOException {
    if (intents == null) {
      intents = Intents.open(intentFile);
      records.repair();
    }
    return intents;
  }

  /** The process may have been killed after the record and before the intent's end. */
  private boolean isRecorded(Intent intent) throws IOException {
    var run = "\"run\":\"" + intent.run() + "\"";
    var object = "\"object\":\"" + intent.object() + "\"";
    return records.has(line -> line.contains(run) && line.contains(object));
  }

  private UncheckedIOException cannotUse(IOException e) {
    return new UncheckedIOException(
        "the records (prune.records.file) cannot be kept in %s: %s"
            .formatted(records.file(), e.getMessage()),
        e);
  }
}
