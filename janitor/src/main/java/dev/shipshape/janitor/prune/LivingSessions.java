package dev.shipshape.janitor.prune;

import dev.shipshape.janitor.prune.LeakedJobs.Suspect;
import dev.shipshape.janitor.session.Session;
import dev.shipshape.janitor.session.Sessions;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Those living sessions that name a suspect, or have the name of a suspect's session. */
final class LivingSessions implements Sessions.Listener {
  private final Set<String> names = new HashSet<>();
  private final Set<String> jobs = new HashSet<>();
  private final Map<String, String> byName = new HashMap<>();
  private final Map<String, String> byJob = new HashMap<>();
  private Instant now = Instant.MIN;
  private boolean nobody = true;

  LivingSessions(List<Suspect> suspects) {
    for (var suspect : suspects) {
      names.add(suspect.session());
      jobs.add(suspect.name());
    }
  }

  @Override
  public void begin(Instant server) {
    now = server;
  }

  @Override
  public void each(Session session) {
    nobody = false;
    if (names.contains(session.name())) {
      byName.put(session.name(), session.reference());
    }
    var job = session.job();
    if (job != null && jobs.contains(job)) {
      byJob.put(job, session.reference());
    }
  }

  /** The server's time when they were listed. */
  Instant now() {
    return now;
  }

  /** Whether no session at all was listed. */
  boolean isNobody() {
    return nobody;
  }

  /** One that names the Job, or has the name. */
  Optional<String> with(String job, String name) {
    return Optional.ofNullable(byJob.getOrDefault(job, byName.get(name)));
  }
}
