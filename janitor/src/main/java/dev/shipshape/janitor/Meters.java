package dev.shipshape.janitor;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** How the janitor's meters are named and made; each is there from the start, at 0. */
record Meters(MeterRegistry registry) {
  static final String PREFIX = "shipshape.janitor.";

  Counter counter(String name, String description, String tag, Object value) {
    return Counter.builder(PREFIX + name)
        .description(description)
        .tag(tag, written(value))
        .register(registry);
  }

  AtomicLong gauge(String name, String description, Object... tag) {
    return gauge(() -> true, name, description, tag);
  }

  /**
   * @param known whether the value holds at this moment; otherwise it is 0
   */
  AtomicLong gauge(BooleanSupplier known, String name, String description, Object... tag) {
    var value = new AtomicLong();
    var gauge =
        Gauge.builder(PREFIX + name, value, of -> known.getAsBoolean() ? of.get() : 0)
            .description(description);
    if (tag.length > 0) {
      gauge.tag(written(tag[0]), written(tag[1]));
    }
    gauge.strongReference(true).register(registry);
    return value;
  }

  static void count(Map<String, Counter> counters, String key) {
    var counter = counters.get(key);
    if (counter == null) {
      throw new IllegalStateException("no counter is registered for " + key);
    }
    counter.increment();
  }

  static String written(Object constant) {
    return constant.toString().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
