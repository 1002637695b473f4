package dev.shipshape.janitor;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.ScheduleBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.DirectSchedulerFactory;
import org.quartz.simpl.RAMJobStore;
import org.quartz.simpl.SimpleThreadPool;

/**
 * Runs the tasks at their times with Quartz. Keeps no state over a restart of the process: each
 * task reads the cluster again.
 */
record PruneScheduler(Scheduler scheduler) implements AutoCloseable {
  /** A task that is later than this is skipped until its next time. */
  private static final Duration MISFIRE = Duration.ofSeconds(5);

  /** Starts the checks, by operator name, and the pruning. A task never runs beside itself. */
  static PruneScheduler start(
      Schedule pruning, Runnable prune, Duration every, Map<String, Runnable> checks) {
    try {
      var store = new RAMJobStore();
      store.setMisfireThreshold(MISFIRE.toMillis());
      var name = "janitor-" + UUID.randomUUID();
      var factory = DirectSchedulerFactory.getInstance();
      factory.createScheduler(
          name, name, new SimpleThreadPool(1 + checks.size(), Thread.NORM_PRIORITY), store);
      var scheduler = factory.getScheduler(name);
      // A job factory that throws would leave the trigger in the ERROR state; this one does not.
      var tasks = new HashMap<>(Map.of("prune", new Task(prune)));
      checks.forEach((operator, check) -> tasks.put("check " + operator, new Task(check)));
      scheduler.setJobFactory((bundle, _) -> tasks.get(bundle.getJobDetail().getKey().getName()));
      var now = Instant.now();
      for (var operator : checks.keySet()) {
        schedule(scheduler, "check " + operator, checks(every), now.plus(every));
      }
      schedule(scheduler, "prune", pruning.builder(), now);
      scheduler.start();
      return new PruneScheduler(scheduler);
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz did not start", e);
    }
  }

  /** Waits for running tasks, and starts no more. */
  @Override
  public void close() {
    try {
      scheduler.shutdown(true);
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz did not end", e);
    }
  }

  private static SimpleScheduleBuilder checks(Duration every) {
    return SimpleScheduleBuilder.simpleSchedule()
        .withIntervalInMilliseconds(every.toMillis())
        .repeatForever()
        .withMisfireHandlingInstructionNextWithExistingCount();
  }

  private static <T extends Trigger> void schedule(
      Scheduler scheduler, String task, ScheduleBuilder<T> times, Instant begin)
      throws SchedulerException {
    scheduler.scheduleJob(
        JobBuilder.newJob(Task.class).withIdentity(task).build(),
        TriggerBuilder.newTrigger().withSchedule(times).startAt(Date.from(begin)).build());
  }

  @DisallowConcurrentExecution
  private record Task(Runnable work) implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      work.run();
    }
  }
}
