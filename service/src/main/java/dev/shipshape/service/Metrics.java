package dev.shipshape.service;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.Objects;

/** The metrics that the webhook and the janitor share. */
public final class Metrics {
  private Metrics() {}

  /**
   * Returns a registry with the metrics of the process and {@code
   * shipshape_build_info{component,version}}.
   *
   * @param component the program, such as {@code webhook}
   */
  public static PrometheusMeterRegistry registry(String component) {
    var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    Gauge.builder("shipshape.build.info", () -> 1)
        .description("Always 1; the label version is the version that runs.")
        .tag("component", component)
        .tag("version", version())
        .register(registry);
    new JvmMemoryMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    return registry;
  }

  /** The version in the jar's manifest; {@code unknown} if the classes are not in a jar. */
  public static String version() {
    return Objects.requireNonNullElse(
        Metrics.class.getPackage().getImplementationVersion(), "unknown");
  }
}
