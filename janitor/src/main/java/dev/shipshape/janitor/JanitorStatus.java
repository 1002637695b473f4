package dev.shipshape.janitor;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.shipshape.janitor.prune.RunReport;
import dev.shipshape.janitor.restart.OperatorReport;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The status that the leading janitor publishes: see docs/reference/janitor-status.md.
 *
 * @param lastRun null before the first run
 * @param lastGoodRun null before the first good run
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record JanitorStatus(
    boolean pruneArmed,
    boolean restartArmed,
    @Nullable RunReport lastRun,
    @Nullable RunReport lastGoodRun,
    List<OperatorReport> operators) {
  public JanitorStatus {
    // JSON of an older janitor has none.
    operators = operators == null ? List.of() : List.copyOf(operators);
  }

  /** The ConfigMap that holds it, in the namespace of the Lease. */
  public static final String CONFIG_MAP = "shipshape-janitor-status";

  /** The ConfigMap's key. */
  public static final String KEY = "status.json";

  JanitorStatus withRun(RunReport run) {
    var summary = run.summary();
    return new JanitorStatus(
        pruneArmed, restartArmed, summary, run.isGood() ? summary : lastGoodRun, operators);
  }

  JanitorStatus withOperator(OperatorReport report) {
    var others = operators.stream().filter(each -> !each.operator().equals(report.operator()));
    var all =
        Stream.concat(others, Stream.of(report))
            .sorted(Comparator.comparing(OperatorReport::operator))
            .toList();
    return new JanitorStatus(pruneArmed, restartArmed, lastRun, lastGoodRun, all);
  }
}
