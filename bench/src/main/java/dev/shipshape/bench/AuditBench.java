package dev.shipshape.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures the timeline of audit logs, as shipped, beside DuckDB and jq: whole processes, in turn,
 * round for round. Arguments: the checkout, {@code --size BYTES} (1 GB) and {@code --quick} for
 * fewer rounds and without the logs that are ten times as large.
 */
public final class AuditBench {
  private static final long GIGABYTE = 1_000_000_000;

  /** What is written beside the logs, in parts of them. */
  private static final double SPARE = 1.3;

  private static final int MEMORY = 256;

  /** A query, and how much faster than the others it is to be. */
  private enum Query {
    OBJECT("object", "one object", 1.0, 90),
    MUTATIONS("mutations", "mutations", 0.7, 0);

    private final String name;
    private final String title;
    private final double duckdb;
    private final double jq;

    Query(String name, String title, double duckdb, double jq) {
      this.name = name;
      this.title = title;
      this.duckdb = duckdb;
      this.jq = jq;
    }
  }

  private record Round(TimedProcess shipshape, TimedProcess duckdb, double jqSeconds) {}

  private final Checkout checkout;
  private final AuditSize size;
  private final Path folder;
  private final Report report;

  private AuditBench(Checkout checkout, AuditSize size) {
    this.checkout = checkout;
    this.size = size;
    this.folder = checkout.target("audit");
    this.report = new Report(size);
  }

  /** Measures, prints the table and writes it as JSON. */
  public static void main(String[] arguments) throws Exception {
    var given = List.of(arguments);
    var at = given.indexOf("--size");
    var bytes = at < 0 ? GIGABYTE : Long.parseLong(given.get(at + 1));
    var size = given.contains("--quick") ? AuditSize.quick(bytes) : AuditSize.full(bytes);
    new AuditBench(new Checkout(Path.of(given.getFirst())), size).measure();
  }

  private void measure() throws IOException, InterruptedException {
    checkSpace();
    var logs = folder.resolve("logs");
    try {
      AuditLogs.write(logs, size.bytes());
      var part = part(logs.resolve("audit-0.log"));
      for (var query : Query.values()) {
        compare(query, logs, part);
      }
      delete(logs);
      if (size.largeBytes() > 0) {
        AuditLogs.write(logs, size.largeBytes());
        for (var query : Query.values()) {
          large(query, logs);
        }
      }
    } finally {
      delete(logs);
    }
    report.print();
    report.write(checkout.target("audit.json"));
  }

  private void checkSpace() throws IOException {
    var needed = (long) (Math.max(size.bytes(), size.largeBytes()) * SPARE);
    var there = Files.getFileStore(Files.createDirectories(folder)).getUsableSpace();
    if (there < needed) {
      throw new IOException(
          "%s has %,d bytes left and the logs need %,d: free some, or use --quick or --size"
              .formatted(folder, there, needed));
    }
  }

  private void compare(Query query, Path logs, Path part) throws IOException, InterruptedException {
    // Both find the logs in memory then, and all programs.
    shipshape(query, logs);
    duckdb(query, logs);
    var rounds = new ArrayList<Round>();
    for (var count = 0; count < size.rounds(); count++) {
      rounds.add(new Round(shipshape(query, logs), duckdb(query, logs), jq(query, part).seconds()));
    }
    same(query, "duckdb");
    shipshape(query, part);
    same(query, "jq");

    var scale = (double) bytes(logs) / Files.size(part);
    report.add(
        Figure.atLeast(
            query.duckdb,
            query.title + ", speed / DuckDB's",
            Median.of(rounds, round -> round.duckdb().seconds() / round.shipshape().seconds()),
            "x"));
    var times = Median.of(rounds, round -> round.jqSeconds() * scale / round.shipshape().seconds());
    var jq = query.title + ", speed / jq's";
    report.add(query.jq > 0 ? Figure.atLeast(query.jq, jq, times, "x") : Figure.of(jq, times, "x"));
    report.addAll(
        List.of(
            Figure.of("  shipshape", Median.of(rounds, round -> round.shipshape().seconds()), "s"),
            Figure.of("  DuckDB", Median.of(rounds, round -> round.duckdb().seconds()), "s"),
            Figure.of(
                "  jq, from a part of %d MB".formatted(Files.size(part) / 1_000_000),
                Median.of(rounds, round -> round.jqSeconds() * scale),
                "s")));
    report.addAll(memory(query, rounds.stream().map(Round::shipshape).toList(), size.bytes()));
    report.add(
        Figure.of(
            "  DuckDB", Median.of(rounds, round -> round.duckdb().residentMebibytes()), "MiB"));
  }

  private void large(Query query, Path logs) throws IOException, InterruptedException {
    var ours = shipshape(query, logs);
    var duckdb = duckdb(query, logs);
    same(query, "duckdb");
    report.addAll(memory(query, List.of(ours), size.largeBytes()));
    report.addAll(
        List.of(
            Figure.of("  DuckDB", duckdb.residentMebibytes(), "MiB"),
            Figure.of("  shipshape, from disk", ours.seconds(), "s"),
            Figure.of("  DuckDB, after it", duckdb.seconds(), "s")));
  }

  private static List<Figure> memory(Query query, List<TimedProcess> runs, long bytes) {
    var most = runs.stream().mapToDouble(TimedProcess::residentMebibytes).max().orElseThrow();
    var what = "%s, memory, %.3g GB".formatted(query.title, bytes / (double) GIGABYTE);
    return List.of(Figure.atMost(MEMORY, what, most, "MiB"));
  }

  private TimedProcess shipshape(Query query, Path logs) throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    command.add(folder.resolve("shipshape/bin/shipshape").toString());
    command.addAll(List.of("audit", "timeline", "-o", "csv", logs.toString()));
    command.addAll(
        query == Query.OBJECT
            ? List.of("--object", String.join("/", AuditLogs.OBJECT))
            : List.of("--mutations"));
    return TimedProcess.run(command, csv("shipshape"));
  }

  private TimedProcess duckdb(Query query, Path logs) throws IOException, InterruptedException {
    var python = checkout.target("duckdb/bin/python").toString();
    var command =
        new ArrayList<>(List.of(python, peer("timeline.py"), query.name, logs + "/*.log"));
    command.add(csv("duckdb").toString());
    command.addAll(AuditLogs.OBJECT.subList(0, query == Query.OBJECT ? 3 : 0));
    return TimedProcess.run(command, folder.resolve("duckdb.out"));
  }

  private TimedProcess jq(Query query, Path part) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(peer("timeline.sh"), query.name, part.toString()));
    command.addAll(AuditLogs.OBJECT);
    return TimedProcess.run(command, csv("jq"));
  }

  private String peer(String name) {
    return checkout.root().resolve("bench/peer/audit").resolve(name).toString();
  }

  private Path csv(String whose) {
    return folder.resolve(whose + ".csv");
  }

  /** Who is faster by leaving lines out is not to be compared with. */
  private void same(Query query, String other) throws IOException {
    var ours = auditIds(csv("shipshape"));
    var theirs = auditIds(csv(other));
    if (ours.isEmpty() || !ours.equals(theirs)) {
      throw new IOException(
          "%s: %d requests, and %d by %s, or others: see %s"
              .formatted(query.title, ours.size(), theirs.size(), other, folder));
    }
  }

  /** Sorted: the order of those that came in one microsecond is not said. jq has no header. */
  private static List<String> auditIds(Path csv) throws IOException {
    try (Stream<String> lines = Files.lines(csv)) {
      return lines
          .map(line -> line.substring(line.lastIndexOf(',') + 1).replace("\"", ""))
          .filter(id -> !id.equals("auditID"))
          .sorted()
          .toList();
    }
  }

  /** The beginning of a log, in whole lines. */
  private Path part(Path log) throws IOException {
    var part = folder.resolve("part.log");
    try (var in = Files.newBufferedReader(log);
        var out = Files.newBufferedWriter(part)) {
      var line = in.readLine();
      for (var written = 0L; line != null && written < size.jqBytes(); line = in.readLine()) {
        out.write(line + "\n");
        written += line.length() + 1L;
      }
    }
    return part;
  }

  private static long bytes(Path logs) throws IOException {
    var sum = 0L;
    try (Stream<Path> files = Files.list(logs)) {
      for (var file : files.toList()) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  private static void delete(Path logs) throws IOException {
    if (!Files.exists(logs)) {
      return;
    }
    try (Stream<Path> all = Files.walk(logs)) {
      for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }
}
