package dev.shipshape.janitor.prune;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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

  /** Records that are told, and that could not be written to the file yet. */
  private final Deque<Line> unwritten = new ArrayDeque<>();

  /** Whether some of those may be in the file all the same, or half of one. */
  private boolean uncertain;

  /**
   * A record.
   *
   * @param intent the key of the intent that it ends, if that is of the same run
   */
  private record Line(String run, String intent, String text) {}

  /**
   * Opens nothing yet: the first deletion does.
   *
   * @param mostBytes how large the file may grow
   * @param kept how many full files are kept beside it
   * @param lines takes each record too, after it is in the file
   */
  public FileJournal(Path file, long mostBytes, int kept, Journal lines, InstantSource clock) {
    this(new RecordFile(file, mostBytes, kept), lines, clock);
  }

  FileJournal(RecordFile records, Journal lines, InstantSource clock) {
    var file = records.file();
    this.records = records;
    this.intentFile = file.resolveSibling(file.getFileName() + ".intents");
    this.lines = lines;
    this.clock = clock;
  }

  @Override
  public synchronized void begin(Intent intent) {
    try {
      catchUp();
      opened().begin(intent);
    } catch (IOException e) {
      throw cannotUse(e);
    }
  }

  /**
   * A record that cannot be written to the file is told all the same, and written there later. What
   * is not known yet is no record: its intent stays open, for the next run to look.
   */
  @Override
  public synchronized void record(String run, Deletion deletion) {
    var session = deletion.entry().session();
    if (isLeftOpen(run, session.reference(), deletion.outcome())) {
      return;
    }
    var text = LineJournal.line(run, deletion, clock.instant());
    var toDisk = !(deletion.outcome() instanceof Outcome.NotTried);
    write(new Line(run, Intent.key(session), text), toDisk);
    lines.record(run, deletion);
  }

  @Override
  public synchronized void record(JobRemoval removal) {
    var job = removal.job();
    if (isLeftOpen(removal.run(), job.reference(), removal.outcome())) {
      return;
    }
    write(new Line(removal.run(), Intent.key(job), removal.line(clock.instant())), true);
    lines.record(removal);
  }

  private static boolean isLeftOpen(String run, String object, Outcome outcome) {
    if (!(outcome instanceof Outcome.Failed failed && failed.open())) {
      return false;
    }
    logger.warn(
        "prune {}: {}: not recorded until the next run has looked: {}",
        run,
        object,
        failed.message());
    return true;
  }

  private void write(Line line, boolean toDisk) {
    try {
      append(line, toDisk);
    } catch (IOException e) {
      logger.error("could not write to {}, but will: {}", records.file(), e.toString());
      unwritten.add(line);
      return;
    }
    try {
      opened().end(line.intent(), line.run());
    } catch (IOException e) {
      logger.error("could not write to {}: {}", intentFile, e.toString());
    }
  }

  /** Writes what could not be written before; until that is done, nothing more is deleted. */
  private void catchUp() throws IOException {
    while (!unwritten.isEmpty()) {
      var line = unwritten.getFirst();
      if (!uncertain || !records.has(line.text()::equals)) {
        append(line, true);
      }
      unwritten.removeFirst();
      opened().end(line.intent(), line.run());
    }
    uncertain = false;
  }

  private void append(Line line, boolean toDisk) throws IOException {
    if (uncertain) {
      records.repair();
    }
    try {
      records.append(line.text(), toDisk);
    } catch (RecordFile.Uncertain e) {
      uncertain = true;
      throw e;
    }
  }

  @Override
  public synchronized List<Intent> unfinished() {
    try {
      catchUp();
      var unfinished = new ArrayList<Intent>();
      for (var intent : opened().open()) {
        if (isRecorded(intent)) {
          opened().end(intent.key(), intent.run());
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
      opened().end(intent.key(), intent.run());
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
