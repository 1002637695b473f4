package dev.shipshape.janitor;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.ScheduleBuilder;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.StdSchedulerFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quartz, which starts the two tasks in time. It remembers nothing between two lives of the
 * program: each task looks at the world afresh.
 */
final class PruneScheduler implements AutoCloseable {
  private static final Logger logger = LoggerFactory.getLogger(PruneScheduler.class);

  /** Bundled properties say 60 s, the code says 5 s: so say it. */
  private static final Duration MISFIRE = Duration.ofSeconds(5);

  /** How long a clock that was set back can hold the tasks up. */
  private static final Duration WATCH = Duration.ofSeconds(2);

  private final Scheduler scheduler;
  private final Schedule pruning;
  private final Duration every;
  private final InstantSource clock;
  private final ClockWatch watch;
  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("clock-watch").daemon().factory());

  private PruneScheduler(
      Scheduler scheduler,
      Schedule pruning,
      Duration every,
      InstantSource clock,
      LongSupplier nanos) {
    this.scheduler = scheduler;
    this.pruning = pruning;
    this.every = every;
    this.clock = clock;
    this.watch = new ClockWatch(clock, nanos);
  }

  /** Starts both tasks by their times. Neither ever runs beside itself. */
  static PruneScheduler start(Schedule pruning, Runnable prune, Duration every, Runnable check) {
    return start(pruning, prune, every, check, InstantSource.system(), System::nanoTime);
  }

  /**
   * As {@link #start(Schedule, Runnable, Duration, Runnable)}.
   *
   * @param clock where the tasks' times are counted from, and whose being set back is seen to;
   *     Quartz itself reads the machine's
   * @param nanos a clock that is never set
   */
  static PruneScheduler start(
      Schedule pruning,
      Runnable prune,
      Duration every,
      Runnable check,
      InstantSource clock,
      LongSupplier nanos) {
    try {
      var scheduler = new StdSchedulerFactory(properties()).getScheduler();
      var jobs = Map.of(PruneJob.class, new PruneJob(prune), CheckJob.class, new CheckJob(check));
      // One that throws would put the trigger into the ERROR state until a person acts.
      scheduler.setJobFactory((bundle, _) -> jobs.get(bundle.getJobDetail().getJobClass()));
      var running = new PruneScheduler(scheduler, pruning, every, clock, nanos);
      scheduler.scheduleJob(job(CheckJob.class), running.checks());
      scheduler.scheduleJob(job(PruneJob.class), running.prunes());
      scheduler.start();
      running.watchTheClock();
      return running;
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz did not start", e);
    }
  }

  /** Ends what runs and starts nothing more. */
  @Override
  public void close() {
    looks.close();
    try {
      scheduler.shutdown(true);
    } catch (SchedulerException e) {
      throw new IllegalStateException("Quartz did not end", e);
    }
  }

  private void watchTheClock() {
    var _ =
        looks.scheduleWithFixedDelay(
            this::lookAtTheClock, WATCH.toMillis(), WATCH.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Quartz keeps the next times as they were by the clock before, and would wait for those. */
  private void lookAtTheClock() {
    try {
      var back = watch.setBack();
      if (back.isPresent()) {
        logger.warn(
            "schedule: the clock was set back by {}; the next times are recalculated", back.get());
        scheduler.rescheduleJob(key(CheckJob.class), checks());
        scheduler.rescheduleJob(key(PruneJob.class), prunes());
      }
    } catch (SchedulerException | RuntimeException e) {
      // One that throws would be the last look.
      logger.error("schedule: could not recalculate the next times", e);
    }
  }

  private Trigger checks() {
    return trigger(
        CheckJob.class,
        SimpleScheduleBuilder.simpleSchedule()
            .withIntervalInMilliseconds(every.toMillis())
            .repeatForever()
            .withMisfireHandlingInstructionNextWithExistingCount(),
        clock.instant().plus(every));
  }

  private Trigger prunes() {
    return trigger(PruneJob.class, pruning.builder(), clock.instant());
  }

  private static JobDetail job(Class<? extends Job> job) {
    return JobBuilder.newJob(job).withIdentity(job.getSimpleName()).build();
  }

  private static TriggerKey key(Class<? extends Job> job) {
    return TriggerKey.triggerKey(job.getSimpleName());
  }

  private static <T extends Trigger> Trigger trigger(
      Class<? extends Job> job, ScheduleBuilder<T> times, Instant begin) {
    return TriggerBuilder.newTrigger()
        .withIdentity(key(job))
        .withSchedule(times)
        .startAt(Date.from(begin))
        .build();
  }

  private static Properties properties() {
    var properties = new Properties();
    properties.put("org.quartz.scheduler.instanceName", "janitor-" + UUID.randomUUID());
    properties.put("org.quartz.scheduler.skipUpdateCheck", "true");
    properties.put("org.quartz.threadPool.class", "org.quartz.simpl.SimpleThreadPool");
    properties.put("org.quartz.threadPool.threadCount", "2");
    properties.put("org.quartz.jobStore.class", "org.quartz.simpl.RAMJobStore");
    properties.put("org.quartz.jobStore.misfireThreshold", String.valueOf(MISFIRE.toMillis()));
    return properties;
  }

  @DisallowConcurrentExecution
  private record PruneJob(Runnable task) implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      task.run();
    }
  }

  @DisallowConcurrentExecution
  private record CheckJob(Runnable task) implements Job {
    @Override
    public void execute(JobExecutionContext context) {
      task.run();
    }
  }
}
