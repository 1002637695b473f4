package dev.shipshape.janitor.maintenance;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Whether maintenance is under way that forbids a restart. */
@FunctionalInterface
public interface Maintenance {

  /** Why not to restart now, in one line; also where it cannot be told. */
  Optional<String> block();

  /** As the settings say; never blocked where they say nothing. */
  static Maintenance of(@Nullable MaintenanceSettings settings) {
    return settings == null ? Optional::empty : new PrometheusMaintenance(settings);
  }
}
