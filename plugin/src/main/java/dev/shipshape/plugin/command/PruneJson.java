package dev.shipshape.plugin.command;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.shipshape.janitor.prune.Plan;
import dev.shipshape.janitor.prune.PruneReport;
import dev.shipshape.janitor.prune.SessionStats;
import java.util.Locale;

/** One JSON object, for programs. */
final class PruneJson implements PruneView {
  private final OutputOption form;

  PruneJson(OutputOption form) {
    this.form = form;
  }

  @Override
  public String plan(Plan plan) {
    var answer = JsonNodeFactory.instance.objectNode().put("at", plan.at().toString());
    answer.put("sessions", plan.stats().total()).put("eligible", plan.eligible());
    kept(answer.putObject("stay"), plan.stats());
    plan.stop().ifPresent(stop -> answer.put("stopped", stop.message()));
    var entries = answer.putArray("wouldGo");
    plan.entries().forEach(entry -> entry(entries.addObject(), entry));
    return text(answer);
  }

  @Override
  public String report(PruneReport report) {
    var answer = JsonNodeFactory.instance.objectNode().put("run", report.run());
    answer.put("ending", written(report.ending()));
    report.plan().stop().ifPresent(stop -> answer.put("stopped", stop.message()));
    var deletions = answer.putArray("deletions");
    for (var deletion : report.deletions()) {
      entry(deletions.addObject(), deletion.entry())
          .put("result", deletion.result().status().word())
          .put("detail", deletion.result().detail())
          .put("seconds", deletion.took().toMillis() / 1000.0);
    }
    return text(answer);
  }

  private String text(ObjectNode answer) {
    return form.text(answer) + "\n";
  }

  private static void kept(ObjectNode node, SessionStats stats) {
    stats.kept().forEach((reason, count) -> node.put(written(reason), count));
  }

  private static ObjectNode entry(ObjectNode node, Plan.Entry entry) {
    return node.put("session", entry.session().reference())
        .put("uid", entry.session().uid())
        .put("ageSeconds", entry.verdict().age().toSeconds());
  }

  private static String written(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
