package dev.shipshape.service;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Objects;

/** The metrics that every program of ours has. */
public final class Metrics {
  private Metrics() {}

  /**
   * A registry with the process's own figures and {@code shipshape_build_info{component,version}}.
   *
   * @param component the program, such as {@code webhook}
   */
  public static PrometheusMeterRegistry registry(String component) {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Gauge.builder("shipshape.build.info", () -> 1)
        .description("Always 1; says which version runs.")
        .tag("component", component)
        .tag("version", version())
        .strongReference(true)
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    return registry;
  }

  /** The version in the jar's manifest; {@code unknown} when run from a folder of classes. */
  public static String version() {
    return Objects.requireNonNullElse(
        Metrics.class.getPackage().getImplementationVersion(), "unknown");
  }
}
