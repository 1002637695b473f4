package dev.shipshape.webhook;

import dev.shipshape.service.Section;
import dev.shipshape.webhook.guard.Guard;
import dev.shipshape.webhook.timeout.TimeLimits;
import java.time.Duration;
import java.util.Collection;

/**
 * Whether configurations that take too long count as invalid.
 *
 * @param mode what becomes of a write that equals one
 */
public record TimeoutSettings(Mode mode, TimeLimits limits) {
  /** What becomes of a write that equals a configuration that took too long. */
  public enum Mode {
    /** Nothing: nobody looks how long anything takes. */
    OFF,
    /** It goes on with a warning. */
    WARN,
    /** It is refused like what is known invalid. */
    ENFORCE
  }

  static TimeoutSettings from(Section section, Collection<Guard> guards) {
    var settings =
        new TimeoutSettings(
            section.choice("mode", Mode.OFF),
            new TimeLimits(
                limit(section, "provisioning", Duration.ofMinutes(2)),
                limit(section, "noStatus", Duration.ofMinutes(10))));
    if (settings.isOn()
        && guards.stream()
            .allMatch(guard -> guard.stampsOnly() || guard.signs().progress() == null)) {
      section.problem(
          "mode",
          "no guard says since when a configuration is on its way; schiff-revisions and t-caas do"
              + " with guardNodes: true");
    }
    return settings;
  }

  private static Duration limit(Section section, String field, Duration fallback) {
    var limit = section.duration(field, fallback);
    if (limit.isZero()) {
      section.problem(field, "must not be 0: every configuration would take too long");
    }
    return limit;
  }

  boolean isOn() {
    return mode != Mode.OFF;
  }
}
