package dev.shipshape.demo;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.shipshape.janitor.restart.Diagnosis;
import dev.shipshape.janitor.restart.OperatorReport;
import dev.shipshape.janitor.restart.RestartOutcome;
import dev.shipshape.janitor.restart.RestartRefusal;
import dev.shipshape.janitor.session.DeleteResult.Status;
import dev.shipshape.plugin.release.Console;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/** The janitor's part: two hundred sessions pruned by rule, and a stuck operator restarted once. */
final class JanitorStory {
  private static final int CREATORS = 8;
  private static final int FAILED_WATCHES = 8;

  private final Console console;
  private final Checks checks;
  private final DemoCluster cluster;
  private final DemoJanitor janitor;
  private final Clock clock;

  JanitorStory(
      Console console, Checks checks, DemoCluster cluster, DemoJanitor janitor, Clock clock) {
    this.console = console;
    this.checks = checks;
    this.cluster = cluster;
    this.janitor = janitor;
    this.clock = clock;
  }

  void tell() throws InterruptedException {
    console.heading("7. Two hundred sessions, of which the aged complete ones are pruned");
    var sessions = BatcherSessions.twoHundred(clock.instant());
    create(sessions);
    console.progress("waiting until this janitor leads (Lease shipshape-janitor)");
    checks.expect(janitor.awaitLeadership(), "the janitor leads");
    var report = janitor.prune();
    console.action("the janitor, pruning armed, does one run");
    console.result(
        "%d sessions seen, %d chosen, %d gone, %.1f s"
            .formatted(
                report.plan().stats().total(),
                report.plan().entries().size(),
                report.count(Status.GONE),
                report.took().toMillis() / 1000.0));
    compare(sessions);

    console.heading("8. The operator's log shows watches that fail with 500, again and again");
    Waiting.until(console, "the operator has run for longer than the cooldown", this::isCool);
    check();
    console.result("sessions are pruned first; if the watches go on failing, it is restarted");
    var pruned = clock.instant();
    Waiting.until(
        console, "watches have failed since", () -> clock.instant().isAfter(pruned.plusSeconds(2)));
    var first = check();
    checks.expect(
        first.restart() instanceof RestartOutcome.Restarted && !cluster.restartedAt().isEmpty(),
        "the operator's Deployment was restarted");
    var generation = cluster.operatorGeneration();

    console.heading("9. The log goes on like that, right after the restart");
    var second = check();
    checks.expect(
        second.restart() instanceof RestartOutcome.Refused refused
            && refused.reason() == RestartRefusal.COOLDOWN
            && cluster.operatorGeneration() == generation,
        "not restarted a second time: the cooldown refuses it");
  }

  private void create(List<BatcherSessions.Made> sessions) throws InterruptedException {
    console.command("kubectl create -f sessions.yaml   # " + sessions.size() + " sessions");
    try (var creators = Executors.newFixedThreadPool(CREATORS)) {
      var creations = new ArrayList<Future<?>>();
      sessions.forEach(each -> creations.add(creators.submit(() -> cluster.create(each))));
      for (var creation : creations) {
        creation.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    sessions.stream()
        .collect(groupingBy(BatcherSessions.Made::sort, LinkedHashMap::new, counting()))
        .forEach((sort, count) -> console.result("%3d %s".formatted(count, sort)));
  }

  private void compare(List<BatcherSessions.Made> sessions) {
    var left = new HashSet<>(cluster.sessions());
    var stay =
        sessions.stream()
            .filter(each -> !each.mustGo())
            .map(BatcherSessions.Made::name)
            .collect(Collectors.toSet());
    checks.expect(left.equals(stay), "exactly the aged complete ones are gone, all others stay");
  }

  private OperatorReport check() {
    janitor.writeOperatorLog(OperatorLog.stuck(clock.instant(), FAILED_WATCHES));
    console.command("tail -n 1 operator.log");
    console.result(janitor.lastLineOfOperatorLog());
    var report = janitor.checkOperator();
    console.action("the janitor, restarts armed, checks the operator");
    console.result(said(report.diagnosis()));
    console.result(said(report.restart()));
    return report;
  }

  private static String said(Diagnosis diagnosis) {
    return switch (diagnosis) {
      case Diagnosis.Stuck stuck ->
          "stuck: %d failed watches from %s to %s, and no progress since"
              .formatted(stuck.failures(), stuck.first(), stuck.last());
      case Diagnosis.Healthy _,
          Diagnosis.Failing _,
          Diagnosis.Recovered _,
          Diagnosis.Unreadable _ ->
          diagnosis.toString();
    };
  }

  private static String said(RestartOutcome outcome) {
    return switch (outcome) {
      case RestartOutcome.Restarted restarted -> "restarted at " + restarted.at();
      case RestartOutcome.Refused refused ->
          "not restarted: %s: %s".formatted(refused.reason(), refused.detail());
      case RestartOutcome.NotNeeded _ -> "no restart needed";
    };
  }

  private boolean isCool() {
    return cluster.operatorAge(clock.instant()).compareTo(DemoJanitor.COOLDOWN) > 0;
  }
}
