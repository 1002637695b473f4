package dev.shipshape.janitor;

import java.time.Duration;
import java.util.UUID;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.impl.DirectSchedulerFactory;
import org.quartz.simpl.RAMJobStore;
import org.quartz.simpl.SimpleThreadPool;

/**
 * Runs the pruning at its times with Quartz. Keeps no state over a restart of the process: each run
 * reads the cluster again.
 */
record PruneScheduler(Scheduler scheduler) implements AutoCloseable {
  /** A run that is later than this is skipped until its next time. */
  private static final Duration MISFIRE = Duration.ofSeconds(5);

  static PruneScheduler start(Schedule times, Runnable prune) {
    try {
      var store = new RAMJobStore();
      store.setMisfireThreshold(MISFIRE.toMillis());
      var name = "janitor-" + UUID.randomUUID();
      var factory = DirectSchedulerFactory.getInstance();
      factory.createScheduler(name, name, new SimpleThreadPool(1, Thread.NORM_PRIORITY), store);
      var scheduler = factory.getScheduler(name);
      // A job factory that throws would leave the trigger in the ERROR state; this one does not.
      scheduler.setJobFactory((_, _) -> new Task(prune));
      scheduler.scheduleJob(
          JobBuilder.newJob(Task.class).build(),
          TriggerBuilder.newTrigger().withSchedule(times.builder()).build());
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

  @DisallowConcurrentExecution
  private record Task(Runnable work) implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      work.run();
    }
  }
}
