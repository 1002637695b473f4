package dev.shipshape.janitor.operator;

import dev.shipshape.janitor.evidence.Evidence;
import dev.shipshape.janitor.evidence.EvidenceSettings;
import dev.shipshape.janitor.evidence.Silence;
import dev.shipshape.janitor.evidence.WaitingSessions;
import dev.shipshape.janitor.kubernetes.ApiFailure;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the operator: its log first, then whatever else speaks for it being stuck. */
final class Examination {
  private static final Logger logger = LoggerFactory.getLogger(Examination.class);

  private final OperatorLog log;
  private final Symptoms symptoms;
  private final EvidenceSettings armed;
  private final Silence silence;
  private final WaitingSessions sessions;
  private final InstantSource clock;

  /** What was said last of why the log could not be read. */
  private String told = "";

  Examination(
      OperatorLog log,
      Symptoms symptoms,
      EvidenceSettings armed,
      Silence silence,
      WaitingSessions sessions,
      InstantSource clock) {
    this.log = log;
    this.symptoms = symptoms;
    this.armed = armed;
    this.silence = silence;
    this.sessions = sessions;
    this.clock = clock;
  }

  Findings look() {
    var now = clock.instant();
    var readings = read(now);
    var diagnosis =
        readings.stream()
            .map(Reading::diagnosis)
            .max(Comparator.comparingInt(Examination::severity))
            .orElse(new Diagnosis.Unreadable("there is no instance of the operator"));
    var evidence = Map.of(Evidence.Kind.SILENCE, silence.judge(lastSign(readings), now));
    return new Findings(diagnosis, evidence, sessions.recent(), grounds(diagnosis, evidence));
  }

  private List<Reading> read(Instant now) {
    var since = now.minus(symptoms.window());
    try {
      var readings = log.read(since, source -> new LogScan(source, symptoms, since, now));
      tell(
          readings.stream()
              .flatMap(reading -> reading.unreadable().stream())
              .collect(Collectors.joining("; ")));
      return readings;
    } catch (ApiFailure e) {
      var why =
          e.code() == HttpURLConnection.HTTP_NOT_FOUND
              ? "no %s; nothing is watched".formatted(log)
              : String.valueOf(e.getMessage());
      tell(why);
      return List.of(Reading.unreadable(why));
    } catch (IOException e) {
      tell(e.toString());
      return List.of(Reading.unreadable(e.toString()));
    }
  }

  /**
   * Says what lasts only once.
   *
   * @param problem empty for none
   */
  private void tell(String problem) {
    if (problem.equals(told)) {
      return;
    }
    told = problem;
    if (problem.isEmpty()) {
      logger.info("operator: its log can be read");
    } else {
      logger.warn("operator: its log could not be read: {}", problem);
    }
  }

  /** With more than one instance (two overlap in a rollout), the one in the worst state counts. */
  private static int severity(Diagnosis diagnosis) {
    return switch (diagnosis) {
      case Diagnosis.Healthy _ -> 0;
      case Diagnosis.Recovered _ -> 1;
      case Diagnosis.Unreadable _ -> 2;
      case Diagnosis.Failing _ -> 3;
      case Diagnosis.Stuck _ -> 4;
    };
  }

  /** One instance that speaks is enough; one that cannot be heard may be speaking. */
  private static @Nullable Instant lastSign(List<Reading> readings) {
    Instant last = null;
    for (var reading : readings) {
      var sign = reading.lastSign();
      if (sign == null) {
        return null;
      }
      last = last == null || sign.isAfter(last) ? sign : last;
    }
    return last;
  }

  private Optional<String> grounds(Diagnosis diagnosis, Map<Evidence.Kind, Evidence> evidence) {
    if (diagnosis instanceof Diagnosis.Stuck stuck) {
      return Optional.of(
          "%d watch failures from %s to %s"
              .formatted(stuck.failures(), stuck.first(), stuck.last()));
    }
    for (var kind : Evidence.Kind.values()) {
      if (armed.isArmed(kind) && evidence.get(kind) instanceof Evidence.Present(String detail)) {
        return Optional.of(detail);
      }
    }
    return Optional.empty();
  }
}
