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
   * @return one scan for each instance of the operator
   * @throws ApiFailure where a log cannot be read over the API
   * @throws IOException where a log file cannot be read
   */
  List<LogScan> read(Instant since, Function<String, LogScan> open) throws IOException;
}
