package dev.shipshape.janitor;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
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
import org.quartz.impl.StdSchedulerFactory;

/**
 * Quartz, which starts the tasks in time. It remembers nothing between two lives of the program:
 * each task looks at the world afresh.
 */
final class PruneScheduler implements AutoCloseable {
  /** Bundled properties say 60 s, the code says 5 s: so say it. */
  private static final Duration MISFIRE = Duration.ofSeconds(5);

  private final Scheduler scheduler;

  private PruneScheduler(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  /**
   * Starts the tasks by their times. None ever runs beside itself.
   *
   * @param checks of the operators, by name
   */
  static PruneScheduler start(
      Schedule pruning, Runnable prune, Duration every, Map<String, Runnable> checks) {
    try {
      var scheduler = new StdSchedulerFactory(properties(1 + checks.size())).getScheduler();
      // One that throws would put the trigger into the ERROR state until a person acts.
      var tasks = new HashMap<>(Map.of("prune", new Task(prune)));
      checks.forEach((name, check) -> tasks.put("check " + name, new Task(check)));
      scheduler.setJobFactory((bundle, _) -> tasks.get(bundle.getJobDetail().getKey().getName()));
      var now = Instant.now();
      for (var name : checks.keySet()) {
        schedule(scheduler, "check " + name, checks(every), now.plus(every));
      }
      schedule(scheduler, "prune", pruning.builder(), now);
      scheduler.start();
      return new PruneScheduler(scheduler);
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz did not start", e);
    }
  }

  /** Ends what runs and starts nothing more. */
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

  private static Properties properties(int threads) {
    var properties = new Properties();
    properties.put("org.quartz.scheduler.instanceName", "janitor-" + UUID.randomUUID());
    properties.put("org.quartz.scheduler.skipUpdateCheck", "true");
    properties.put("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    properties.put("org.quartz.threadPool.threadCount", String.valueOf(threads));
    properties.put("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
    properties.put("org.quartz.jobStore.misfireThreshold", String.valueOf(MISFIRE.toMillis()));
    return properties;
  }

  @DisallowConcurrentExecution
  private record Task(Runnable work) implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      work.run();
    }
  }
}
