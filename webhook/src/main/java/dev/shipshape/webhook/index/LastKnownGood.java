package dev.shipshape.webhook.index;

import com.fasterxml.jackson.databind.JsonNode;
import dev.shipshape.webhook.config.ConfigStatus;
import dev.shipshape.webhook.config.Guard;
import dev.shipshape.webhook.identity.ConfigHash;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * What each object was last seen to work with, unless that failed later, of the guards whose
 * rollouts may go back to it. Not kept across restarts: by then the backup that was written
 * meanwhile is listed.
 */
public final class LastKnownGood implements Listener {
  /** By the name of the guard, and the object's key. */
  private final Map<String, Map<String, ConfigHash>> worked;

  /** Keeps it of those guards among these that name who rolls out. */
  public LastKnownGood(Collection<Guard> guards) {
    worked =
        guards.stream()
            .filter(LastKnownGood::hasRollout)
            .collect(Collectors.toUnmodifiableMap(Guard::name, guard -> new ConcurrentHashMap<>()));
  }

  private static boolean hasRollout(Guard guard) {
    var rollout = guard.rollout();
    return rollout != null && !rollout.serviceAccount().isEmpty();
  }

  /** Whether this is what the object worked with when it last worked. */
  public boolean workedLast(Guard guard, String key, ConfigHash hash) {
    return hash.equals(worked.getOrDefault(guard.name(), Map.of()).get(key));
  }

  @Override
  public void seen(Guard guard, JsonNode object, IndexedObject known) {
    var ofGuard = worked.get(guard.name());
    if (ofGuard == null) {
      return;
    }
    if (known.says(ConfigStatus.PROVISIONED)) {
      ofGuard.put(known.key(), known.hash());
    } else if (known.says(ConfigStatus.INVALID)) {
      ofGuard.remove(known.key(), known.hash());
    }
  }

  @Override
  public void gone(Guard guard, String key) {
    var ofGuard = worked.get(guard.name());
    if (ofGuard != null) {
      ofGuard.remove(key);
    }
  }
}
