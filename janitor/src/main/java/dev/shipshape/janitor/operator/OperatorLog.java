package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.kubernetes.ApiFailure;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Where the operator logs to. */
interface OperatorLog {

  /**
   * Reads what was logged since a time, afresh each time: nothing is remembered between two
   * readings, so nothing can be counted twice.
   *
   * @param open makes the scan for a log of the given name
   * @return one reading for each instance of the operator, and at least one
   * @throws ApiFailure where the instances cannot be listed
   * @throws IOException where a log file cannot be read
   */
  List<Reading> read(Instant since, Function<String, LogScan> open) throws IOException;
}
