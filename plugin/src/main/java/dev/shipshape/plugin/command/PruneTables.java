package dev.shipshape.plugin.command;

import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.SessionStats;
import dev.shipshape.janitor.prune.Verdict.Reason;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Tables and counts, for people. */
final class PruneTables implements PruneView {
  @Override
  public String plan(Plan plan) {
    var table = new Table("SESSION", "AGE", "UID");
    for (var entry : plan.entries()) {
      table.row(
          entry.session().reference(),
          Age.of(entry.verdict().age()),
          String.valueOf(entry.session().uid()));
    }
    var stop = plan.stop().map(each -> "A run would be stopped: " + each.message() + "\n");
    return """
    %s%s%d of %d sessions would be deleted (%d eligible), by the server's clock %s.
    %s
    Nothing was deleted.%s
    """
        .formatted(
            table.isEmpty() ? "" : table + "\n\n",
            stop.orElse(""),
            plan.entries().size(),
            plan.stats().total(),
            plan.eligible(),
            plan.at(),
            staying(plan.stats()),
            plan.entries().isEmpty() ? "" : " To delete them, add --confirm.");
  }

  @Override
  public String report(PruneReport report) {
    var table = new Table("RESULT", "SESSION", "SECONDS", "DETAIL");
    var counts = new TreeMap<String, Integer>();
    for (var deletion : report.deletions()) {
      counts.merge(deletion.result().status().word(), 1, Integer::sum);
      table.row(
          deletion.result().status().word(),
          deletion.entry().session().reference(),
          "%.1f".formatted(deletion.took().toMillis() / 1000.0),
          deletion.result().detail());
    }
    var stop = report.plan().stop().map(each -> "Stopped: " + each.message() + "\n");
    return "%s%sRun %s: %s%n"
        .formatted(
            table.isEmpty() ? "" : table + "\n\n",
            stop.orElse(""),
            report.run(),
            counts.isEmpty() ? "nothing to delete" : counts);
  }

  private static String staying(SessionStats stats) {
    var kept = stats.kept();
    var sum = kept.values().stream().mapToInt(Integer::intValue).sum();
    var reasons =
        kept.entrySet().stream()
            .map(entry -> "%d %s".formatted(entry.getValue(), reason(entry.getKey())))
            .collect(Collectors.joining(", "));
    return "%d stay%s".formatted(sum, reasons.isEmpty() ? "." : ": " + reasons + ".");
  }

  private static String reason(Reason reason) {
    return switch (reason) {
      case NAME -> "of another name than prune.name";
      case STATE -> "not complete";
      case KEEP_MARK -> "marked to be kept";
      case IMAGE_RESULT -> "with image results";
      case TERMINATING -> "being deleted already";
      case UNKNOWN_AGE -> "of unknown age";
      case FUTURE -> "completed in the future";
      case YOUNG -> "too young";
      case NEWEST -> "among the newest";
    };
  }
}
